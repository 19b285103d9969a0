//! A loop that waits for lines, ticks and a command, whichever comes first.
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time;

#[derive(Default, Debug)]
struct Report {
    lines: Vec<String>,
    ticked: bool,
    ended: &'static str,
}

async fn watch(stream: TcpStream, mut stop: oneshot::Receiver<()>) -> Report {
    let mut report = Report::default();
    let mut lines = BufReader::new(stream).lines();
    let mut ticks = time::interval(Duration::from_millis(5));
    loop {
        tokio::select! {
            line = lines.next_line() => match line {
                Ok(Some(line)) => report.lines.push(line),
                Ok(None) => {
                    report.ended = "closed";
                    return report;
                }
                Err(_) => {
                    report.ended = "failed";
                    return report;
                }
            },
            _ = ticks.tick() => report.ticked = true,
            result = &mut stop => {
                report.ended = if result.is_ok() { "stopped" } else { "forgotten" };
                return report;
            }
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    for how in ["closed", "stopped", "forgotten"] {
        let mut client = TcpStream::connect(address).await?;
        let (stream, _) = listener.accept().await?;
        let (stop, stopped) = oneshot::channel();
        // What is never dropped cannot be forgotten.
        let mut stop = Some(stop);
        let watcher = tokio::spawn(watch(stream, stopped));
        client.write_all(b"first\n").await?;
        time::sleep(Duration::from_millis(20)).await;
        client.write_all(b"second\n").await?;
        time::sleep(Duration::from_millis(20)).await;
        match how {
            "closed" => client.shutdown().await?,
            "stopped" => stop.take().unwrap().send(()).unwrap(),
            _ => stop = None,
        }
        println!("{:?}", watcher.await?);
        drop(stop);
    }

    // Biased branches are tried in their order.
    let mut count = 0;
    let winner = tokio::select! {
        biased;
        () = std::future::pending() => "never",
        () = async { count += 1 } => "ready",
        () = time::sleep(Duration::ZERO) => "sleep",
    };
    println!("{winner} {count}");
    let text = tokio::select! {
        Some(number) = async { None::<u32> } => format!("{number}"),
        else => "no branch is left".to_owned(),
    };
    println!("{text}");
    Ok(())
}
