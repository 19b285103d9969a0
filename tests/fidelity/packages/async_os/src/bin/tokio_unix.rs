//! Unix sockets: pairs, a server at a path, datagrams.
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream};
use tokio::net::{UnixDatagram, UnixListener, UnixStream};

async fn pair() -> io::Result<()> {
    let (mut left, mut right) = UnixStream::pair()?;
    let doubling = tokio::spawn(async move {
        let mut sum = 0u64;
        while let Ok(number) = right.read_u16().await {
            sum += u64::from(number);
            right.write_u32(u32::from(number) * 2).await?;
        }
        right.write_u64(sum).await?;
        io::Result::Ok(sum)
    });
    for number in [1, 500, 65_535] {
        left.write_u16(number).await?;
        println!("{}", left.read_u32().await?);
    }
    left.shutdown().await?;
    println!("{} {}", left.read_u64().await?, doubling.await??);
    println!("{:?}", left.read_u8().await.map_err(|error| error.kind()));
    Ok(())
}

async fn server(folder: &std::path::Path) -> io::Result<()> {
    let path = folder.join("server");
    let listener = UnixListener::bind(&path)?;
    let server = tokio::spawn(async move {
        for number in 1..=2 {
            let (stream, address) = listener.accept().await?;
            assert!(address.is_unnamed());
            let mut stream = BufStream::new(stream);
            let mut line = String::new();
            stream.read_line(&mut line).await?;
            stream.write_all(format!("{number}: {}", line.to_uppercase()).as_bytes()).await?;
            stream.flush().await?;
        }
        io::Result::Ok(())
    });
    for name in ["unix", "socket"] {
        let mut stream = UnixStream::connect(&path).await?;
        stream.write_all(format!("{name}\n").as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        print!("{answer}");
    }
    server.await??;
    println!("{:?}", UnixStream::connect(&path).await.map_err(|error| error.kind()).err());
    println!("{:?}", UnixStream::connect(folder.join("none")).await.map_err(|error| error.kind()).err());
    Ok(())
}

async fn datagrams(folder: &std::path::Path) -> io::Result<()> {
    let one = UnixDatagram::bind(folder.join("one"))?;
    let two = UnixDatagram::unbound()?;
    two.send_to(b"from nobody", folder.join("one")).await?;
    let mut buffer = [0; 32];
    let (count, from) = one.recv_from(&mut buffer).await?;
    println!("{count} {}", from.is_unnamed());
    let (left, right) = UnixDatagram::pair()?;
    let (sent, received) = tokio::join!(left.send(b"joined"), right.recv(&mut buffer));
    println!("{} {}", sent?, received?);
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    pair().await?;
    let folder = std::env::temp_dir().join(format!("tokio-unix-{}", std::process::id()));
    tokio::fs::create_dir(&folder).await?;
    let result = match server(&folder).await {
        Ok(()) => datagrams(&folder).await,
        error => error,
    };
    tokio::fs::remove_dir_all(&folder).await?;
    result
}
