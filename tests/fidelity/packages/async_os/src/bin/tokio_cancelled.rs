//! Tasks that are given up while they wait, and what becomes of their sockets.
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

/// Says when it is dropped.
struct Witness(&'static str, mpsc::UnboundedSender<&'static str>);

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.1.send(self.0);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let (drops, mut dropped) = mpsc::unbounded_channel();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;

    let witness = Witness("acceptor", drops.clone());
    let acceptor = tokio::spawn(async move {
        let _witness = witness;
        loop {
            listener.accept().await?;
        }
        #[expect(unreachable_code, reason = "names the type")]
        io::Result::Ok(())
    });
    // Accepted, and closed at once.
    let mut client = TcpStream::connect(address).await?;
    println!("{:?}", client.read(&mut [0; 4]).await);
    acceptor.abort();
    let error = acceptor.await.unwrap_err();
    println!("{} {} {:?}", error.is_cancelled(), error.is_panic(), dropped.recv().await);
    println!("{:?}", TcpStream::connect(address).await.map_err(|error| error.kind()).err());

    // A read that is given up by a timeout takes nothing; the peer sees the end when the task is gone.
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let mut client = TcpStream::connect(listener.local_addr()?).await?;
    let (mut server, _) = listener.accept().await?;
    let witness = Witness("reader", drops.clone());
    let reader = tokio::spawn(async move {
        let _witness = witness;
        let mut word = [0; 4];
        let first = timeout(Duration::from_millis(10), server.read(&mut word)).await.is_err();
        server.write_all(if first { b"late" } else { b"soon" }).await?;
        server.read_exact(&mut word).await?;
        server.write_all(&word).await?;
        sleep(Duration::from_secs(1000)).await;
        io::Result::Ok(())
    });
    let mut word = [0; 4];
    client.read_exact(&mut word).await?;
    println!("{:?}", std::str::from_utf8(&word));
    client.write_all(b"echo").await?;
    client.read_exact(&mut word).await?;
    println!("{:?}", std::str::from_utf8(&word));
    println!("finished: {}", reader.is_finished());
    reader.abort();
    println!("{:?} {:?}", client.read(&mut word).await, dropped.recv().await);
    println!("cancelled: {}", reader.await.unwrap_err().is_cancelled());
    drop(drops);
    println!("{:?}", dropped.recv().await);
    Ok(())
}
