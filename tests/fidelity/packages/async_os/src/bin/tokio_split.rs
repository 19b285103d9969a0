//! The two halves of a connection in two tasks of one thread.
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await?;
        let (reader, mut writer) = stream.into_split();
        let mut lines = BufReader::new(reader).lines();
        let mut numbers: Vec<i32> = Vec::new();
        while let Some(line) = lines.next_line().await? {
            match line.parse() {
                Ok(number) => numbers.push(number),
                Err(error) => writer.write_all(format!("{line:?}: {error}\n").as_bytes()).await?,
            }
        }
        numbers.sort_unstable();
        writer.write_all(format!("sorted {numbers:?}\n").as_bytes()).await?;
        std::io::Result::Ok(numbers.len())
    });

    let stream = TcpStream::connect(address).await?;
    let (reader, mut writer) = stream.into_split();
    let (sender, mut received) = mpsc::channel(2);
    let reading = tokio::spawn(async move {
        let mut lines = BufReader::new(reader).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            sender.send(line).await.unwrap();
        }
    });
    for text in ["30", "-4", "x", "17", "", "99999999999"] {
        writer.write_all(text.as_bytes()).await?;
        writer.write_all(b"\n").await?;
    }
    // Dropping the half for writing closes that direction.
    drop(writer);
    while let Some(line) = received.recv().await {
        println!("{line}");
    }
    reading.await?;
    println!("{} numbers", server.await??);

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (one, other) = (TcpStream::connect(listener.local_addr()?).await?, listener.accept().await?.0);
    let (one_reader, one_writer) = one.into_split();
    let (other_reader, other_writer) = other.into_split();
    let error = one_reader.reunite(other_writer).unwrap_err();
    println!("{error}");
    println!("{}", error.0.reunite(one_writer).is_ok());
    println!("{}", other_reader.reunite(error.1)?.local_addr()? == listener.local_addr()?);
    Ok(())
}
