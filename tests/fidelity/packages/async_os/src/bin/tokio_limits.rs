//! Never more than two requests at once, and the heavy part in threads that may block.
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};

fn heavy(number: u32) -> u64 {
    (1..=u64::from(number)).map(|it| it * it).sum()
}

struct Gauge {
    now: AtomicUsize,
    highest: AtomicUsize,
}

impl Gauge {
    fn enter(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.highest.fetch_max(now, Ordering::SeqCst);
    }

    fn leave(&self) {
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

#[tokio::main(worker_threads = 2)]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let slots = Arc::new(Semaphore::new(2));
    let gauge = Arc::new(Gauge { now: AtomicUsize::new(0), highest: AtomicUsize::new(0) });
    let server = tokio::spawn({
        let (slots, gauge) = (slots.clone(), gauge.clone());
        async move {
            let mut handlers = JoinSet::new();
            for _ in 0..6 {
                let permit = slots.clone().acquire_owned().await.unwrap();
                let (mut stream, _) = listener.accept().await?;
                let gauge = gauge.clone();
                handlers.spawn(async move {
                    gauge.enter();
                    let number = stream.read_u32().await?;
                    let result = spawn_blocking(move || heavy(number)).await?;
                    tokio::time::sleep(Duration::from_millis(2)).await;
                    stream.write_u64(result).await?;
                    gauge.leave();
                    drop(permit);
                    io::Result::Ok(())
                });
            }
            while let Some(result) = handlers.join_next().await {
                result??;
            }
            io::Result::Ok(())
        }
    });
    let mut clients = JoinSet::new();
    for number in [10, 100, 1, 0, 1000, 7] {
        clients.spawn(async move {
            let mut stream = TcpStream::connect(address).await?;
            stream.write_u32(number).await?;
            io::Result::Ok((number, stream.read_u64().await?))
        });
    }
    let mut results = clients.join_all().await.into_iter().collect::<io::Result<Vec<_>>>()?;
    results.sort_unstable();
    println!("{results:?}");
    server.await??;
    println!("at most two: {}", (1..=2).contains(&gauge.highest.load(Ordering::SeqCst)));
    println!("{} slots are free", slots.available_permits());
    Ok(())
}
