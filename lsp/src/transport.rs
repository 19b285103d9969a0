//! Messages over a byte stream, framed as in the Language Server Protocol.
//!
//! Input from the client is bounded: the header, the body, and the memory allocated before the bytes arrive. An invalid
//! body is answered and skipped. Broken framing ends the session, because the start of the next message is unknown.

use crate::escape;
use crossbeam_channel::{Receiver, Sender, unbounded};
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    time::Duration,
};

/// Maximum size of a header block, in bytes.
const MAX_HEADER: u64 = 16 << 10;
/// Maximum size of a body, in bytes.
const MAX_BODY: u64 = 64 << 20;
/// How long the end waits for a client that does not read.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The error once nothing can be written any more.
pub(crate) const NOT_READ: &str = "the client does not read what is written";

/// Error codes of JSON-RPC and of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorCode {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    ServerNotInitialized = -32002,
    RequestCancelled = -32800,
    ContentModified = -32801,
    RequestFailed = -32803,
}

/// A message or error from the reader.
#[derive(PartialEq, Debug)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// A response; `None` if it is an error.
    Response {
        id: Value,
        result: Option<Value>,
    },
    /// An invalid body, and the answer to it.
    Invalid(Outgoing),
    /// The end of the input.
    End(End),
}

/// Why the input has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The client closed its end, possibly within a message.
    Closed,
    /// The start of the next message is unknown.
    Framing(String),
    /// The client does not read what is written.
    Write(String),
}

/// A message to the client. Its texts are escaped; ids are not.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Outgoing(Value);

impl Outgoing {
    pub(crate) fn request(id: i32, method: &str, params: impl Serialize) -> serde_json::Result<Outgoing> {
        let params = escape::texts(serde_json::to_value(params)?);
        Ok(Outgoing(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })))
    }

    pub(crate) fn notification(method: &str, params: impl Serialize) -> serde_json::Result<Outgoing> {
        let params = escape::texts(serde_json::to_value(params)?);
        Ok(Outgoing(json!({ "jsonrpc": "2.0", "method": method, "params": params })))
    }

    pub(crate) fn result(id: Value, result: impl Serialize) -> serde_json::Result<Outgoing> {
        let result = escape::texts(serde_json::to_value(result)?);
        Ok(Outgoing(json!({ "jsonrpc": "2.0", "id": id, "result": result })))
    }

    pub(crate) fn error(id: Value, code: ErrorCode, message: &str) -> Outgoing {
        let message = escape::text(message);
        Outgoing(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } }))
    }
}

/// The connection to a client: one thread reads, one writes.
pub(crate) struct Connection {
    sender: Sender<Outgoing>,
    pub(crate) receiver: Receiver<Incoming>,
    /// Disconnected once everything is written.
    written: Receiver<()>,
}

impl Connection {
    /// Reads and writes in separate threads. `at_end` runs in the reader's thread after the last message was passed on;
    /// its argument says whether the client had requested a shutdown.
    pub(crate) fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
        at_end: impl FnOnce(bool) + Send + 'static,
    ) -> std::io::Result<Connection> {
        let (sender, outgoing) = unbounded();
        let (incoming, receiver) = unbounded();
        let (writes, written) = unbounded();
        let failed = incoming.clone();
        std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
            at_end(read_all(&mut BufReader::new(input), &incoming));
        })?;
        std::thread::Builder::new().name("writer".to_owned()).spawn(move || {
            let _until_the_end: Sender<()> = writes;
            if let Err(error) = write_all(output, &outgoing) {
                // The receiver is gone if the session is over.
                let _ = failed.send(Incoming::End(End::Write(error.to_string())));
            }
        })?;
        Ok(Connection { sender, receiver, written })
    }

    /// Queues a message; does not wait.
    pub(crate) fn send(&self, message: Outgoing) -> Result<(), &'static str> {
        self.sender.send(message).map_err(|_| NOT_READ)
    }

    /// Waits until everything is written, for a limited time.
    pub(crate) fn finish(self) {
        drop(self.sender);
        // It is disconnected, as expected, or the client does not read.
        let _ = self.written.recv_timeout(LAST_WORDS);
    }
}

/// Passes on messages until the stream or the session ends; returns whether the client has requested a shutdown.
fn read_all(input: &mut impl BufRead, incoming: &Sender<Incoming>) -> bool {
    let mut is_shut_down = false;
    loop {
        let message = match read_body(input) {
            Ok(Some(body)) => parse(&body),
            Ok(None) => Incoming::End(End::Closed),
            Err(reason) => {
                let answer = Outgoing::error(Value::Null, ErrorCode::ParseError, &reason);
                if incoming.send(Incoming::Invalid(answer)).is_err() {
                    return is_shut_down;
                }
                Incoming::End(End::Framing(reason))
            }
        };
        let is_last = match &message {
            Incoming::Notification { method, .. } => method == "exit",
            Incoming::End(_) => true,
            _ => false,
        };
        is_shut_down |= matches!(&message, Incoming::Request { method, .. } if method == "shutdown");
        if incoming.send(message).is_err() || is_last {
            return is_shut_down;
        }
    }
}

/// The body of the next message; `None` at the end of the stream. The error describes the broken framing.
fn read_body(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    if length > MAX_BODY {
        return Err(format!("a message of {length} bytes; at most {MAX_BODY} are read"));
    }
    let mut body = Vec::new();
    match input.take(length).read_to_end(&mut body) {
        Ok(read) if read as u64 == length => Ok(Some(body)),
        // The client is gone.
        _ => Ok(None),
    }
}

/// The length of the body that follows; `None` at the end of the stream.
fn read_header(input: &mut impl BufRead) -> Result<Option<u64>, String> {
    let mut header = input.take(MAX_HEADER);
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = header.read_until(b'\n', &mut line);
        let Some(line) = line.strip_suffix(b"\n") else {
            return match read {
                Ok(_) if header.limit() == 0 => Err(format!("a header of more than {MAX_HEADER} bytes")),
                // The client is gone.
                _ => Ok(None),
            };
        };
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        if line.is_empty() {
            return length.map(Some).ok_or_else(|| "a header without `Content-Length`".to_owned());
        }
        let (name, value) = line.split_once(':').ok_or_else(|| format!("a header line without a colon: {line:?}"))?;
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let value = value.trim();
            let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
            let number = value.parse::<u64>().ok().filter(|_| is_number);
            let number = number.ok_or_else(|| format!("a `Content-Length` that is no length: {value:?}"))?;
            if length.is_some_and(|known| known != number) {
                return Err("two different `Content-Length`s in one header".to_owned());
            }
            length = Some(number);
        }
    }
}

/// Parses a body.
fn parse(body: &[u8]) -> Incoming {
    let invalid = |id, code, message: &str| Incoming::Invalid(Outgoing::error(id, code, message));
    let mut object = match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return invalid(Value::Null, ErrorCode::InvalidRequest, "a message is one JSON object"),
        Err(error) => return invalid(Value::Null, ErrorCode::ParseError, &format!("malformed JSON: {error}")),
    };
    let id = object.remove("id");
    let is_id = matches!(id, Some(Value::Number(_) | Value::String(_)));
    match (id, object.remove("method")) {
        (None, Some(Value::String(method))) => {
            Incoming::Notification { method, params: object.remove("params").unwrap_or_default() }
        }
        (Some(id), Some(Value::String(method))) if is_id => {
            Incoming::Request { id, method, params: object.remove("params").unwrap_or_default() }
        }
        (Some(id), None) if object.contains_key("error") => Incoming::Response { id, result: None },
        (Some(id), None) if object.contains_key("result") => Incoming::Response { id, result: object.remove("result") },
        (id, _) => {
            let id = id.filter(|_| is_id).unwrap_or_default();
            invalid(id, ErrorCode::InvalidRequest, "neither a request, nor a notification, nor a response")
        }
    }
}

/// Writes messages until there are no senders left.
fn write_all(mut output: impl Write, outgoing: &Receiver<Outgoing>) -> std::io::Result<()> {
    for Outgoing(message) in outgoing {
        let body = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        output.write_all(framed.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    /// Everything that is read from these bytes.
    fn read(bytes: impl AsRef<[u8]>) -> Vec<Incoming> {
        let (sender, receiver) = unbounded();
        read_all(&mut bytes.as_ref(), &sender);
        drop(sender);
        receiver.into_iter().collect()
    }

    fn code(incoming: &Incoming) -> i64 {
        match incoming {
            Incoming::Invalid(Outgoing(answer)) => answer["error"]["code"].as_i64().unwrap(),
            _ => 0,
        }
    }

    #[test]
    fn messages() {
        let request = r#"{"jsonrpc":"2.0","id":"a","method":"m","params":[1]}"#;
        let notification = r#"{"method":"n"}"#;
        let response = r#"{"id":7,"result":null}"#;
        let read = read([request, notification, response].map(framed).concat());
        let expected = [
            Incoming::Request { id: json!("a"), method: "m".to_owned(), params: json!([1]) },
            Incoming::Notification { method: "n".to_owned(), params: Value::Null },
            Incoming::Response { id: json!(7), result: Some(Value::Null) },
            Incoming::End(End::Closed),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn a_body_that_is_no_message_is_answered_and_the_next_one_read() {
        let deep = "[".repeat(100_000);
        for (body, expected) in [
            ("", -32700),
            ("{", -32700),
            ("\u{feff}{}", -32700),
            (deep.as_str(), -32700),
            ("[]", -32600),
            ("7", -32600),
            ("{}", -32600),
            (r#"{"id":1}"#, -32600),
            (r#"{"id":null,"method":"m"}"#, -32600),
            (r#"{"id":{},"method":"m"}"#, -32600),
            (r#"{"id":1,"method":2}"#, -32600),
            (r#"[{"id":1,"method":"m"}]"#, -32600),
        ] {
            let read = read(framed(body) + &framed(r#"{"method":"n"}"#));
            assert_eq!(code(&read[0]), expected, "{body:.20}: {read:?}");
            assert!(matches!(&read[1], Incoming::Notification { method, .. } if method == "n"), "{body:.20}");
            assert_eq!(read.len(), 3);
        }
        let bytes =
            [b"Content-Length: 4\r\n\r\n\"\xff\xfe\"".as_slice(), framed(r#"{"method":"n"}"#).as_bytes()].concat();
        assert_eq!(code(&read(bytes)[0]), -32700);
    }

    #[test]
    fn broken_framing_is_answered_and_ends_the_session() {
        let long = format!("X: {}\r\n\r\n", "a".repeat(100_000));
        for header in [
            "Content-Length: 100000000000000\r\n\r\n",
            "Content-Length: 99999999999999999999999999\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: +2\r\n\r\n",
            "Content-Length: 2 2\r\n\r\n",
            "Content-Length:\r\n\r\n",
            "Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
            "Content-Type: x\r\n\r\n",
            "\r\n\r\n",
            "{}\r\n\r\n",
            long.as_str(),
        ] {
            let read = read(format!("{header}{{}}"));
            assert_eq!(code(&read[0]), -32700, "{header:.40}");
            assert!(matches!(&read[1..], [Incoming::End(End::Framing(_))]), "{header:.40}: {read:?}");
        }
    }

    #[test]
    fn headers_that_are_understood() {
        for header in [
            "content-length:2\r\n\r\n",
            "Content-Length: 2\nContent-Length: 2\n\n",
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        ] {
            let read = read(format!("{header}{{}}"));
            assert_eq!((code(&read[0]), &read[1]), (-32600, &Incoming::End(End::Closed)), "{header}");
        }
    }

    #[test]
    fn an_end_anywhere_is_an_end() {
        let whole = framed(r#"{"method":"n"}"#);
        for cut in 0..whole.len() {
            assert_eq!(read(&whole[..cut]), [Incoming::End(End::Closed)], "{cut}");
        }
        // Memory is allocated for what arrives, not for the announced length.
        assert_eq!(read(format!("Content-Length: {MAX_BODY}\r\n\r\nshort")), [Incoming::End(End::Closed)]);
    }

    #[test]
    fn nothing_is_read_behind_an_exit() {
        let read = read(framed(r#"{"method":"exit"}"#) + "garbage");
        assert!(matches!(&read[..], [Incoming::Notification { method, .. }] if method == "exit"), "{read:?}");
    }
}
