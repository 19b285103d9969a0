//! One task owns the accounts; connections ask it by messages and get answers by other messages.
use std::collections::HashMap;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

#[allow(dead_code, reason = "only `Debug` reads the fields")]
#[derive(Debug)]
enum Failure {
    NoAccount(String),
    TooLittle { there: u32 },
}

enum Request {
    Deposit { to: String, amount: u32, reply: oneshot::Sender<u32> },
    Withdraw { from: String, amount: u32, reply: oneshot::Sender<Result<u32, Failure>> },
}

async fn bank(mut requests: mpsc::Receiver<Request>) -> HashMap<String, u32> {
    let mut accounts: HashMap<String, u32> = HashMap::new();
    while let Some(request) = requests.recv().await {
        match request {
            Request::Deposit { to, amount, reply } => {
                let balance = accounts.entry(to).or_default();
                *balance += amount;
                // Whoever asked may have gone.
                let _ = reply.send(*balance);
            }
            Request::Withdraw { from, amount, reply } => {
                let result = match accounts.get_mut(&from) {
                    None => Err(Failure::NoAccount(from)),
                    Some(balance) if *balance < amount => Err(Failure::TooLittle { there: *balance }),
                    Some(balance) => {
                        *balance -= amount;
                        Ok(*balance)
                    }
                };
                let _ = reply.send(result);
            }
        }
    }
    accounts
}

async fn teller(stream: TcpStream, bank: mpsc::Sender<Request>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    while stream.read_line(&mut line).await? > 0 {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[..] {
            ["+", name, amount] => {
                let (reply, answer) = oneshot::channel();
                let amount = amount.parse().unwrap_or(0);
                bank.send(Request::Deposit { to: name.into(), amount, reply }).await.expect("open");
                format!("{name} has {}", answer.await.expect("an answer"))
            }
            ["-", name, amount] => {
                let (reply, answer) = oneshot::channel();
                let amount = amount.parse().unwrap_or(0);
                bank.send(Request::Withdraw { from: name.into(), amount, reply }).await.expect("open");
                format!("{:?}", answer.await.expect("an answer"))
            }
            _ => "what?".to_owned(),
        };
        stream.write_all(answer.as_bytes()).await?;
        stream.write_all(b"\n").await?;
        line.clear();
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (requests, received) = mpsc::channel(1);
    let bank = tokio::spawn(bank(received));
    let server = tokio::spawn(async move {
        for _ in 0..2 {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(teller(stream, requests.clone()));
        }
    });
    let customer = async |lines: &str| -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(lines.as_bytes()).await?;
        stream.shutdown().await?;
        let mut answers = String::new();
        stream.read_to_string(&mut answers).await?;
        Ok(answers)
    };
    let (one, two) =
        tokio::join!(customer("+ ann 50\n- ann 20\n- ann 31\n"), customer("- bob 1\n+ bob 7\nhow are you\n- bob 7\n"));
    print!("{}{}", one?, two?);
    server.await?;
    let mut accounts: Vec<_> = bank.await?.into_iter().collect();
    accounts.sort();
    println!("{accounts:?}");
    Ok(())
}
