//! Waits until a socket is ready, and tries until it would block.
use std::io::{self, ErrorKind};
use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest};
use tokio::net::{TcpListener, TcpStream, UnixStream};

async fn drain(stream: &TcpStream) -> io::Result<(Vec<u8>, bool)> {
    let mut all = Vec::new();
    let mut buffer = [0; 8];
    loop {
        match stream.try_read(&mut buffer) {
            Ok(0) => return Ok((all, true)),
            Ok(count) => all.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok((all, false)),
            Err(error) => return Err(error),
        }
    }
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let mut client = TcpStream::connect(listener.local_addr()?).await?;
    let (server, _) = listener.accept().await?;
    println!("{:?}", server.try_read(&mut [0; 8]).map_err(|error| error.kind()));
    println!("{}", server.ready(Interest::WRITABLE).await?.is_writable());

    client.write_all(b"some bytes, more than one buffer").await?;
    let mut all = Vec::new();
    while all.len() < 32 {
        server.readable().await?;
        let (part, ended) = drain(&server).await?;
        assert!(!ended);
        all.extend(part);
    }
    println!("{:?}", String::from_utf8_lossy(&all));

    client.write_all(b"peek").await?;
    let mut buffer = [0; 16];
    println!("{} {}", server.peek(&mut buffer).await?, server.peek(&mut buffer[..2]).await?);
    drop(client);
    let mut rest = (Vec::new(), false);
    while !rest.1 {
        server.readable().await?;
        let (part, ended) = drain(&server).await?;
        rest.0.extend(part);
        rest.1 = ended;
    }
    println!("{:?}", rest.0.len());

    // A writer that fills the buffers goes on when they were emptied.
    let (mut reader, writer) = UnixStream::pair()?;
    let chunk = [7; 4096];
    let mut written = 0;
    loop {
        match writer.try_write(&chunk) {
            Ok(count) => written += count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    let emptied = tokio::spawn(async move {
        let mut all = Vec::new();
        reader.read_to_end(&mut all).await.map(|_| all.len())
    });
    writer.writable().await?;
    while let Err(error) = writer.try_write(b"the last ones") {
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        writer.writable().await?;
    }
    drop(writer);
    println!("{} {}", written > 4096, emptied.await?? == written + 13);
    let std_stream = server.into_std()?;
    println!("{:?}", std_stream.take_error()?.is_none());
    Ok(())
}
