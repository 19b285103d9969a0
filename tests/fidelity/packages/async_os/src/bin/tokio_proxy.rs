//! A proxy that copies both directions, before a service that counts.
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};

#[derive(Default)]
struct Statistics {
    up: AtomicU64,
    down: AtomicU64,
    failed: AtomicU64,
}

async fn proxy(listener: TcpListener, target: impl ToSocketAddrs, statistics: Arc<Statistics>) -> io::Result<()> {
    let target = tokio::net::lookup_host(target).await?.next().ok_or(io::ErrorKind::NotFound)?;
    loop {
        let (mut client, _) = listener.accept().await?;
        let statistics = statistics.clone();
        tokio::spawn(async move {
            let result = async {
                let mut server = TcpStream::connect(target).await?;
                copy_bidirectional(&mut client, &mut server).await
            };
            match result.await {
                Ok((up, down)) => {
                    statistics.up.fetch_add(up, Ordering::Relaxed);
                    statistics.down.fetch_add(down, Ordering::Relaxed);
                }
                Err(error) => {
                    statistics.failed.fetch_add(1, Ordering::Relaxed);
                    let mut unread = Vec::new();
                    let _ = client.read_to_end(&mut unread).await;
                    let _ = client.write_all(format!("{:?}", error.kind()).as_bytes()).await;
                }
            }
        });
    }
}

async fn letters(listener: TcpListener) -> io::Result<()> {
    for _ in 0..3 {
        let (mut stream, _) = listener.accept().await?;
        let mut text = String::new();
        stream.read_to_string(&mut text).await?;
        let mut counts = [0u32; 26];
        text.bytes().filter(u8::is_ascii_lowercase).for_each(|byte| counts[usize::from(byte - b'a')] += 1);
        let (letter, count) = (b'a'..=b'z').zip(counts).max_by_key(|(letter, count)| (*count, !letter)).unwrap();
        stream.write_all(format!("{} of {} letters are {}", count, text.len(), letter as char).as_bytes()).await?;
    }
    Ok(())
}

async fn ask(port: u16, text: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let target = TcpListener::bind("127.0.0.1:0").await?;
    let front = TcpListener::bind("127.0.0.1:0").await?;
    let port = front.local_addr()?.port();
    let statistics = Arc::new(Statistics::default());
    tokio::spawn(proxy(front, target.local_addr()?, statistics.clone()));
    let service = tokio::spawn(letters(target));
    for text in ["mississippi", "x", &"banana ".repeat(1000)] {
        println!("{}", ask(port, text).await?);
    }
    service.await??;
    println!("{}", ask(port, "anybody there?").await.unwrap_or_else(|error| format!("{:?}", error.kind())));
    println!("{}", statistics.failed.load(Ordering::Relaxed));
    Ok(())
}
