//! Many clients at once, whose results come in any order; one of them fails and one panics.
use std::collections::BTreeMap;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

async fn factorial_server(listener: TcpListener) {
    loop {
        let Ok((mut stream, _)) = listener.accept().await else { return };
        tokio::spawn(async move {
            let number = stream.read_u8().await?;
            if let Some(result) = (1..=u64::from(number)).try_fold(1u64, u64::checked_mul) {
                stream.write_u64(result).await?;
            }
            // Otherwise it closes without an answer.
            std::io::Result::Ok(())
        });
    }
}

async fn ask(address: SocketAddr, number: u8) -> std::io::Result<u64> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_u8(number).await?;
    assert!(number != 11, "eleven");
    stream.read_u64().await
}

#[tokio::main(flavor = "multi_thread", worker_threads = 3)]
async fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(factorial_server(listener));
    let mut set = JoinSet::new();
    let mut numbers = BTreeMap::new();
    for number in [5, 0, 20, 21, 11, 3, 12] {
        numbers.insert(set.spawn(async move { ask(address, number).await }).id(), number);
    }
    println!("{} tasks", set.len());
    let mut results = BTreeMap::new();
    while let Some(result) = set.join_next_with_id().await {
        match result {
            Ok((id, Ok(value))) => results.insert(numbers[&id], value.to_string()),
            Ok((id, Err(error))) => results.insert(numbers[&id], format!("failed: {:?}", error.kind())),
            Err(error) => results.insert(numbers[&error.id()], format!("panicked: {}", error.is_panic())),
        };
    }
    for (number, result) in results {
        println!("{number}! {result}");
    }
    server.abort();
    println!("{}", server.await.unwrap_err().is_cancelled());
    println!("{:?}", TcpStream::connect(address).await.map_err(|error| error.kind()).err());
}
