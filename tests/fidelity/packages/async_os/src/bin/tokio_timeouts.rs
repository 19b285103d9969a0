//! Waits that take too long, and waits that do not.
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

async fn run() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let short = Duration::from_millis(15);
    let long = Duration::from_secs(10);

    let start = Instant::now();
    println!("accept: {:?}", timeout(short, listener.accept()).await.map(|_| ()).map_err(|error| error.to_string()));
    println!("{}", start.elapsed() >= short);

    let mut client = timeout(long, TcpStream::connect(listener.local_addr()?)).await??;
    let (mut server, _) = timeout(long, listener.accept()).await??;
    let mut buffer = [0; 16];
    println!("read: {}", timeout(short, client.read(&mut buffer)).await.is_err());
    server.write_all(b"now").await?;
    println!("read: {:?}", timeout(long, client.read(&mut buffer)).await?.map(|count| count == 3));

    // A server that thinks for a while.
    let thinker = tokio::spawn(async move {
        let mut byte = [0];
        while server.read(&mut byte).await.is_ok_and(|count| count == 1) {
            if byte[0] == 200 {
                std::future::pending::<()>().await;
            }
            sleep(Duration::from_millis(byte[0].into())).await;
            server.write_all(&[byte[0] + 1]).await.unwrap();
        }
    });
    let deadline = Instant::now() + Duration::from_millis(50);
    let mut answers = Vec::new();
    let result = timeout_at(deadline, async {
        for pause in [1, 3, 200] {
            client.write_all(&[pause]).await?;
            let mut byte = [0];
            client.read_exact(&mut byte).await?;
            answers.push(byte[0]);
        }
        io::Result::Ok(())
    })
    .await;
    println!("{answers:?}, all: {}", result.is_ok());
    println!("{}", Instant::now() >= deadline);
    thinker.abort();
    println!("{}", thinker.await.unwrap_err().is_cancelled());

    sleep_until(Instant::now() - Duration::from_millis(1)).await;
    println!("{:?}", timeout(Duration::ZERO, async { 7 }).await);
    println!("{:?}", timeout(Duration::from_millis(1), std::future::pending::<()>()).await);
    Ok(())
}

fn main() -> io::Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}
