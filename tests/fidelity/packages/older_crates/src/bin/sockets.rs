//! Sockets and timers of an older tokio.

use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};

#[tokio::main]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut text = [0; 4];
                stream.read_exact(&mut text).await.unwrap();
                text.reverse();
                stream.write_all(&text).await.unwrap();
            });
        }
    });
    for text in [b"abcd", b"1234"] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        println!("{answer}");
    }
    server.await.unwrap();
    sleep(Duration::from_millis(5)).await;
    println!("{}", timeout(Duration::from_millis(5), std::future::pending::<()>()).await.is_err());
}
