//! A task for each connection, on several threads.
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

async fn serve(mut stream: TcpStream) -> std::io::Result<usize> {
    let mut buffer = [0; 32];
    let mut total = 0;
    loop {
        match stream.read(&mut buffer).await? {
            0 => return Ok(total),
            count => {
                stream.write_all(&buffer[..count]).await?;
                total += count;
            }
        }
    }
}

async fn client(address: std::net::SocketAddr, text: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(async move {
        let mut sessions = Vec::new();
        for _ in 0..3 {
            let (stream, _) = listener.accept().await.unwrap();
            sessions.push(tokio::spawn(serve(stream)));
        }
        let mut total = 0;
        for session in sessions {
            total += session.await.unwrap().unwrap();
        }
        total
    });
    let long = "0123456789".repeat(20);
    let (one, two, three) = tokio::try_join!(client(address, "hello"), client(address, ""), client(address, &long))?;
    println!("{one:?} {two:?} {}", three == long);
    println!("{} bytes", server.await.unwrap());
    Ok(())
}
