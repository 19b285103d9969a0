//! What a client sends to the language server: it ends, what it writes are well-formed messages, and each request is answered once.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    io::{Cursor, Write},
    sync::{Arc, Mutex, PoisonError},
};

/// Begins an input whose messages, with `\n---\n` between them, get the right lengths.
const FRAMED: &[u8] = b"framed\n";

/// Keeps what the server writes.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn framed(bodies: &str) -> Vec<u8> {
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    bodies.split("\n---\n").map(framed).collect::<String>().into_bytes()
}

/// The messages of a stream.
fn messages(mut stream: &[u8]) -> Vec<Value> {
    let mut messages = Vec::new();
    while !stream.is_empty() {
        let text = String::from_utf8_lossy(stream).into_owned();
        let (header, _) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no header: {text:.200}"));
        let length = header.strip_prefix("Content-Length: ").and_then(|it| it.parse::<usize>().ok());
        let length = length.unwrap_or_else(|| panic!("no length: {header:.200}"));
        let start = header.len() + 4;
        let body = stream.get(start..start + length).unwrap_or_else(|| panic!("a message is cut: {text:.200}"));
        messages.push(serde_json::from_slice(body).unwrap_or_else(|error| panic!("{error}: {text:.200}")));
        stream = &stream[start + length..];
    }
    messages
}

pub(super) fn one_input(input: &[u8]) {
    let input = match input.strip_prefix(FRAMED) {
        Some(bodies) => framed(&String::from_utf8_lossy(bodies)),
        None => input.to_vec(),
    };
    let output = Output::default();
    let outcome = lsp::serve(Cursor::new(input.clone()), output.clone(), tsvd_check::format::RENDERERS);
    match outcome {
        Ok(status) => assert!(status <= 1, "status {status}"),
        Err(error) => assert!(!error.to_string().is_empty(), "an error without a word"),
    }
    let written = output.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let mut answers: BTreeMap<String, u32> = BTreeMap::new();
    for message in messages(&written) {
        let is_answer = message.get("method").is_none();
        if is_answer && !message["id"].is_null() {
            *answers.entry(message["id"].to_string()).or_default() += 1;
        }
    }
    for (id, count) in answers {
        // A large number comes back in another form.
        let is_as_written = id.parse::<f64>().is_err() || id.parse::<i64>().is_ok();
        let asked = String::from_utf8_lossy(&input).matches(if is_as_written { &id } else { "\"id\"" }).count();
        assert!(count as usize <= asked.max(1), "{count} answers to {id}");
    }
}
