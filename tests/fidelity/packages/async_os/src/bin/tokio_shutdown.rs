//! A server that finishes what it has begun when it is told to stop.
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

async fn stopped(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|it| *it).await;
}

async fn handle(mut stream: TcpStream, mut stopping: watch::Receiver<bool>, _open: mpsc::Sender<()>) -> u32 {
    let mut requests = 0;
    loop {
        let mut pause = [0];
        // What was asked before the stop is answered.
        tokio::select! {
            biased;
            result = stream.read_exact(&mut pause) => {
                if result.is_err() {
                    return requests;
                }
            }
            () = stopped(&mut stopping) => {
                let _ = stream.write_all(b"bye").await;
                return requests;
            }
        }
        // Not interrupted.
        sleep(Duration::from_millis(pause[0].into())).await;
        requests += 1;
        if stream.write_all(b"done ").await.is_err() {
            return requests;
        }
    }
}

async fn serve(listener: TcpListener, mut stopping: watch::Receiver<bool>) -> Vec<u32> {
    let (open, mut closed) = mpsc::channel(1);
    let mut handlers = Vec::new();
    loop {
        tokio::select! {
            biased;
            connection = listener.accept() => {
                let (stream, _) = connection.unwrap();
                handlers.push(tokio::spawn(handle(stream, stopping.clone(), open.clone())));
            }
            _ = stopping.changed() => break,
        }
    }
    drop(listener);
    drop(open);
    // Ends when the last handler has dropped its sender.
    assert_eq!(closed.recv().await, None);
    let mut counts = Vec::new();
    for handler in handlers {
        counts.push(handler.await.unwrap());
    }
    counts
}

async fn client(address: SocketAddr, pauses: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(pauses).await.unwrap();
    let mut text = String::new();
    match stream.read_to_string(&mut text).await {
        Ok(_) => text,
        Err(error) => format!("{:?}", error.kind()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopping) = watch::channel(false);
    let server = tokio::spawn(serve(listener, stopping));
    let clients = [vec![], vec![0, 0], vec![45], vec![1, 2, 3]]
        .map(|pauses| tokio::spawn(async move { client(address, &pauses).await }));
    sleep(Duration::from_millis(20)).await;
    println!("stopping");
    stop.send(true).unwrap();
    for client in clients {
        println!("{:?}", client.await.unwrap());
    }
    let mut counts = server.await.unwrap();
    counts.sort_unstable();
    println!("{counts:?}");
    println!("{:?}", TcpStream::connect(address).await.map_err(|error| error.kind()).err());
}
