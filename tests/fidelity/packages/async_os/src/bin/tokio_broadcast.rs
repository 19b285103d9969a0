//! Everything that one member says goes to all of them, by a broadcast channel.
use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast::{self, Sender};

async fn member(stream: TcpStream, room: Sender<String>) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    let name = lines.next_line().await?.unwrap_or_default();
    let mut heard = room.subscribe();
    writer.write_all(format!("welcome {name}\n").as_bytes()).await?;
    loop {
        tokio::select! {
            line = lines.next_line() => match line? {
                Some(line) => {
                    let _ = room.send(format!("{name}: {line}\n"));
                }
                None => break,
            },
            Ok(message) = heard.recv() => writer.write_all(message.as_bytes()).await?,
        }
    }
    drop(heard);
    let _ = room.send(format!("{name} has left\n"));
    Ok(())
}

struct Client {
    lines: Lines<BufReader<OwnedReadHalf>>,
    writer: OwnedWriteHalf,
}

impl Client {
    async fn enter(address: SocketAddr, name: &str) -> Client {
        let (reader, writer) = TcpStream::connect(address).await.unwrap().into_split();
        let mut client = Client { lines: BufReader::new(reader).lines(), writer };
        client.say(name).await;
        println!("{}", client.hear().await);
        client
    }

    async fn say(&mut self, text: &str) {
        self.writer.write_all(format!("{text}\n").as_bytes()).await.unwrap();
    }

    async fn hear(&mut self) -> String {
        self.lines.next_line().await.unwrap().unwrap_or_else(|| "(closed)".to_owned())
    }
}

#[tokio::main]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (room, mut log) = broadcast::channel(16);
    let server = tokio::spawn(async move {
        let mut members = Vec::new();
        for _ in 0..3 {
            let (stream, _) = listener.accept().await.unwrap();
            members.push(tokio::spawn(member(stream, room.clone())));
        }
        drop(room);
        for member in members {
            member.await.unwrap().unwrap();
        }
    });
    let mut ann = Client::enter(address, "ann").await;
    let mut bob = Client::enter(address, "bob").await;
    let mut eve = Client::enter(address, "eve").await;
    for (speaker, text) in [(0, "hello all"), (1, "hi"), (2, "who else?")] {
        [&mut ann, &mut bob, &mut eve][speaker].say(text).await;
        let (one, two, three) = tokio::join!(ann.hear(), bob.hear(), eve.hear());
        println!("{one} | {two} | {three}");
    }
    drop(bob);
    println!("{} | {}", ann.hear().await, eve.hear().await);
    drop(eve);
    println!("{}", ann.hear().await);
    drop(ann);
    server.await.unwrap();
    let mut count = 0;
    while let Ok(message) = log.recv().await {
        count += 1;
        print!("{count} {message}");
    }
}
