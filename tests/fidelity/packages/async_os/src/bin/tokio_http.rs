//! HTTP by hand, with a state that all handlers share.
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, Notify};

#[derive(Default)]
struct State {
    notes: Mutex<BTreeMap<String, String>>,
    quit: Notify,
}

async fn answer(state: &State, method: &str, path: &str, body: String) -> (&'static str, String) {
    let mut notes = state.notes.lock().await;
    match (method, path) {
        ("GET", "/") => ("200 OK", notes.keys().cloned().collect::<Vec<_>>().join(",")),
        ("GET", path) => match notes.get(path) {
            Some(note) => ("200 OK", note.clone()),
            None => ("404 Not Found", String::new()),
        },
        ("PUT", path) => match notes.insert(path.to_owned(), body) {
            Some(_) => ("204 No Content", String::new()),
            None => ("201 Created", String::new()),
        },
        ("DELETE", "/") => {
            state.quit.notify_one();
            ("202 Accepted", String::new())
        }
        ("DELETE", path) => (if notes.remove(path).is_some() { "204 No Content" } else { "410 Gone" }, String::new()),
        _ => ("501 Not Implemented", String::new()),
    }
}

async fn connection(stream: TcpStream, state: Arc<State>) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let mut words = line.split_whitespace();
        let (method, path) = (words.next().unwrap_or("").to_owned(), words.next().unwrap_or("").to_owned());
        let mut length = 0;
        loop {
            let mut header = String::new();
            stream.read_line(&mut header).await?;
            if header.trim_end().is_empty() {
                break;
            }
            if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        let (status, text) = answer(&state, &method, &path, String::from_utf8_lossy(&body).into_owned()).await;
        let response = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{text}", text.len());
        stream.get_mut().write_all(response.as_bytes()).await?;
    }
}

struct Client(BufReader<TcpStream>);

impl Client {
    async fn request(&mut self, method: &str, path: &str, body: &str) -> io::Result<(String, String)> {
        let request = format!("{method} {path} HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        self.0.get_mut().write_all(request.as_bytes()).await?;
        let mut status = String::new();
        self.0.read_line(&mut status).await?;
        let mut length = String::new();
        self.0.read_line(&mut length).await?;
        let length = length.trim_end().rsplit(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0);
        let mut rest = vec![0; length + 2];
        self.0.read_exact(&mut rest).await?;
        let status = status.trim_end().trim_start_matches("HTTP/1.1 ").to_owned();
        Ok((status, String::from_utf8_lossy(&rest[2..]).into_owned()))
    }
}

async fn session(address: SocketAddr) -> io::Result<()> {
    let mut client = Client(BufReader::new(TcpStream::connect(address).await?));
    for (method, path, body) in [
        ("GET", "/", ""),
        ("PUT", "/a", "first note"),
        ("PUT", "/b", "second"),
        ("PUT", "/a", "changed"),
        ("GET", "/a", ""),
        ("GET", "/", ""),
        ("DELETE", "/b", ""),
        ("DELETE", "/b", ""),
        ("GET", "/b", ""),
        ("PATCH", "/a", ""),
        ("DELETE", "/", ""),
    ] {
        let (status, text) = client.request(method, path, body).await?;
        println!("{method} {path} {status} {text:?}");
    }
    Ok(())
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let client = tokio::spawn(session(listener.local_addr()?));
    let state = Arc::new(State::default());
    let mut served = 0;
    loop {
        tokio::select! {
            result = listener.accept() => {
                served += 1;
                tokio::spawn(connection(result?.0, state.clone()));
            }
            () = state.quit.notified() => break,
        }
    }
    client.await??;
    println!("{served} connection, {:?}", state.notes.lock().await);
    Ok(())
}
