//! A server in a runtime of its own thread, a client in another one, and blocking code between them.
use std::io::{self, Read, Write};
use std::sync::mpsc;
use std::thread;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

async fn lengths(listener: TcpListener, stop: oneshot::Receiver<()>) -> usize {
    let mut served = 0;
    let accepting = async {
        loop {
            let Ok((mut stream, _)) = listener.accept().await else { return };
            served += 1;
            tokio::spawn(async move {
                let mut text = Vec::new();
                stream.read_to_end(&mut text).await?;
                stream.write_all(format!("{} bytes", text.len()).as_bytes()).await
            });
        }
    };
    tokio::select! {
        () = accepting => {}
        _ = stop => {}
    }
    served
}

async fn ask(address: std::net::SocketAddr, text: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

fn main() -> io::Result<()> {
    let (ready, started) = mpsc::channel();
    let (stop, stopped) = oneshot::channel();
    let server = thread::Builder::new().name("server".into()).spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            ready.send(listener.local_addr().unwrap()).unwrap();
            lengths(listener, stopped).await
        })
    })?;
    let address = started.recv().expect("the server runs");

    // Blocking.
    let mut stream = std::net::TcpStream::connect(address)?;
    stream.write_all(b"blocking")?;
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    println!("{text}");

    // In a runtime, from a thread outside of it, and from one of its blocking threads.
    let runtime = Builder::new_multi_thread().worker_threads(2).thread_name("client").enable_all().build()?;
    println!("{}", runtime.block_on(ask(address, "from the main thread"))?);
    let handle = runtime.handle().clone();
    let outside = thread::spawn(move || handle.block_on(ask(address, "outside")));
    println!("{}", outside.join().unwrap()?);
    let inside = runtime.spawn_blocking(move || Handle::current().block_on(ask(address, "inside, but blocking")));
    println!("{}", runtime.block_on(inside).unwrap()?);
    let name = runtime.block_on(runtime.spawn(async { thread::current().name().map(str::to_owned) })).unwrap();
    println!("{name:?}");
    drop(runtime);

    stop.send(()).unwrap();
    println!("{} served", server.join().unwrap());
    Ok(())
}
