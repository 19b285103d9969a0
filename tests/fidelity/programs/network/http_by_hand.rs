//! HTTP/1.1, just enough of it: routes, query strings, bodies, connections that stay open.
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

struct Request {
    method: String,
    path: String,
    query: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Request {
    fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let bad = || io::Error::new(io::ErrorKind::InvalidData, format!("bad request line {:?}", line.trim_end()));
        let mut parts = line.split_whitespace();
        let (method, target) = parts.next().zip(parts.next()).ok_or_else(bad)?;
        if parts.next() != Some("HTTP/1.1") {
            return Err(bad());
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query = query.split('&').filter_map(|it| it.split_once('=')).map(|(k, v)| (k.into(), v.into())).collect();
        let (method, path) = (method.to_owned(), path.to_owned());
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some((name, value)) => headers.insert(name.to_lowercase(), value.to_owned()),
                None => break,
            };
        }
        let length = headers.get("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        Ok(Some(Request { method, path, query, headers, body }))
    }
}

fn route(request: &Request) -> (u16, &'static str, String) {
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/") => (200, "OK", "<h1>home</h1>".to_owned()),
        ("GET", "/add") => {
            let sum: i64 = request.query.values().filter_map(|it| it.parse::<i64>().ok()).sum();
            (200, "OK", sum.to_string())
        }
        ("POST", "/echo") => (200, "OK", String::from_utf8_lossy(&request.body).to_uppercase()),
        (_, "/" | "/add" | "/echo") => (405, "Method Not Allowed", String::new()),
        _ => (404, "Not Found", format!("no {}", request.path)),
    }
}

fn serve(stream: TcpStream) -> io::Result<usize> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut out = stream;
    let mut count = 0;
    loop {
        let request = match Request::read(&mut reader) {
            Ok(Some(request)) => request,
            Ok(None) => return Ok(count),
            Err(error) => {
                write!(out, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nX-Why: {error}\r\n\r\n")?;
                return Ok(count);
            }
        };
        count += 1;
        let (code, reason, body) = route(&request);
        let last = request.headers.get("connection").is_some_and(|it| it == "close");
        write!(out, "HTTP/1.1 {code} {reason}\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
        if last {
            return Ok(count);
        }
    }
}

fn exchange(address: SocketAddr, requests: &[&str]) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    for request in requests {
        stream.write_all(request.as_bytes())?;
    }
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    println!("{}\n--", answer.replace("\r\n", "\n"));
    Ok(())
}

fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let server =
        thread::spawn(move || listener.incoming().take(4).map(|it| serve(it.unwrap()).unwrap()).collect::<Vec<_>>());
    exchange(address, &["GET / HTTP/1.1\r\nHost: x\r\n\r\n"])?;
    exchange(
        address,
        &[
            "GET /add?a=19&b=23&c=x HTTP/1.1\r\n\r\n",
            "POST /echo HTTP/1.1\r\nContent-Length: 11\r\n\r\nhello there",
            "DELETE /echo HTTP/1.1\r\nConnection: close\r\n\r\n",
        ],
    )?;
    exchange(address, &["GET /missing HTTP/1.1\r\n\r\n"])?;
    exchange(address, &["HELLO\r\n"])?;
    println!("{:?}", server.join().unwrap());
    Ok(())
}
