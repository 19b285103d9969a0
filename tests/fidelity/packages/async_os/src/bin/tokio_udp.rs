//! Datagrams between tasks: a server of names, asked by several clients.
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::task::JoinSet;
use tokio::time::timeout;

async fn names(socket: UdpSocket) -> io::Result<usize> {
    let table = HashMap::from([("alpha", [10, 0, 0, 1]), ("beta", [10, 0, 0, 2])]);
    let mut buffer = vec![0; 512];
    let mut count = 0;
    loop {
        let (length, from) = socket.recv_from(&mut buffer).await?;
        count += 1;
        match std::str::from_utf8(&buffer[..length]) {
            Ok("quit") => return Ok(count),
            Ok("silence") => {}
            Ok(name) => {
                let answer = table.get(name).copied().unwrap_or_default();
                socket.send_to(&answer, from).await?;
            }
            Err(_) => {
                socket.send_to(b"?", from).await?;
            }
        }
    }
}

async fn resolve(server: SocketAddr, question: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let socket = UdpSocket::bind("127.0.0.1:0").await?;
    socket.connect(server).await?;
    socket.send(question).await?;
    let mut buffer = [0; 16];
    let patience = Duration::from_millis(if question == b"silence" { 20 } else { 5_000 });
    match timeout(patience, socket.recv(&mut buffer)).await {
        Ok(count) => Ok(Some(buffer[..count?].to_vec())),
        Err(_) => Ok(None),
    }
}

#[tokio::main(worker_threads = 2)]
async fn main() -> io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0").await?;
    let address = socket.local_addr()?;
    let server = tokio::spawn(names(socket));
    let mut questions = JoinSet::new();
    for (number, question) in [&b"alpha"[..], b"beta", b"gamma", b"\xff\xfe", b"silence"].into_iter().enumerate() {
        questions.spawn(async move { (number, resolve(address, question).await) });
    }
    let mut answers = questions.join_all().await;
    answers.sort_by_key(|(number, _)| *number);
    for (number, answer) in answers {
        println!("{number}: {:?}", answer?);
    }
    let own = UdpSocket::bind("127.0.0.1:0").await?;
    println!("{:?}", own.try_recv_from(&mut [0; 4]).map_err(|error| error.kind()));
    own.send_to(b"quit", address).await?;
    println!("{} questions", server.await??);
    own.writable().await?;
    println!("{:?}", own.try_send_to(b"to myself", own.local_addr()?));
    own.readable().await?;
    let mut buffer = [0; 4];
    println!("{:?} {:?}", own.try_recv(&mut buffer), std::str::from_utf8(&buffer));
    Ok(())
}
