//! One protocol over whatever carries bytes: TCP, Unix sockets, memory.
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, duplex};
use tokio::net::{TcpListener, TcpStream, UnixStream};

async fn send(to: &mut (impl AsyncWrite + Unpin), frame: &[u8]) -> io::Result<()> {
    to.write_u16(frame.len() as u16).await?;
    to.write_all(frame).await?;
    to.flush().await
}

/// `None` at the end of the stream between frames.
async fn receive(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let length = match from.read_u16().await {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        length => length?,
    };
    let mut frame = vec![0; length.into()];
    from.read_exact(&mut frame).await?;
    Ok(Some(frame))
}

async fn reverse_all<T: AsyncRead + AsyncWrite + Unpin>(mut stream: T) -> io::Result<u32> {
    let mut count = 0;
    while let Some(mut frame) = receive(&mut stream).await? {
        frame.reverse();
        send(&mut stream, &frame).await?;
        count += 1;
    }
    Ok(count)
}

async fn talk<T>(what: &str, near: T, far: T) -> io::Result<()>
where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let server = tokio::spawn(reverse_all(far));
    let (mut reader, mut writer) = tokio::io::split(near);
    let sending = tokio::spawn(async move {
        for text in ["step on no pets", "", "abc", &"xy".repeat(3000)] {
            send(&mut writer, text.as_bytes()).await?;
        }
        writer.shutdown().await
    });
    while let Some(frame) = receive(&mut reader).await? {
        match frame.len() {
            0..100 => println!("{what}: {:?}", String::from_utf8_lossy(&frame)),
            length => println!("{what}: {length} bytes, {:?}", String::from_utf8_lossy(&frame[..4])),
        }
    }
    sending.await??;
    println!("{what}: {} frames", server.await??);
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let (near, far) = duplex(64);
    talk("memory", near, far).await?;
    let (near, far) = UnixStream::pair()?;
    talk("unix", near, far).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (near, far) = tokio::try_join!(TcpStream::connect(listener.local_addr()?), listener.accept())?;
    near.set_nodelay(true)?;
    println!("{}", near.nodelay()?);
    talk("tcp", near, far.0).await?;

    let (mut near, far) = UnixStream::pair()?;
    near.write_all(&[0, 9, b'c', b'u', b't']).await?;
    drop(near);
    println!("{:?}", reverse_all(far).await.map_err(|error| error.kind()));
    Ok(())
}
