//! A store that several clients set and get values in, a line for each command.
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

type Store = Arc<Mutex<HashMap<String, String>>>;

enum Command<'a> {
    Get(&'a str),
    Set(&'a str, &'a str),
    Delete(&'a str),
    Count,
    Quit,
}

fn parse(line: &str) -> Result<Command<'_>, String> {
    let mut words = line.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some("GET"), Some(key), None) => Ok(Command::Get(key)),
        (Some("SET"), Some(key), Some(value)) => Ok(Command::Set(key, value)),
        (Some("DEL"), Some(key), None) => Ok(Command::Delete(key)),
        (Some("COUNT"), None, None) => Ok(Command::Count),
        (Some("QUIT"), None, None) => Ok(Command::Quit),
        _ => Err(format!("bad command {line:?}")),
    }
}

fn serve(stream: TcpStream, store: Store) -> std::io::Result<()> {
    let mut out = stream.try_clone()?;
    for line in BufReader::new(stream).lines() {
        let line = line?;
        let answer = match parse(&line) {
            Ok(Command::Get(key)) => match store.lock().unwrap().get(key) {
                Some(value) => format!("VALUE {value}"),
                None => "NONE".to_owned(),
            },
            Ok(Command::Set(key, value)) => match store.lock().unwrap().insert(key.to_owned(), value.to_owned()) {
                Some(old) => format!("REPLACED {old}"),
                None => "STORED".to_owned(),
            },
            Ok(Command::Delete(key)) => format!("DELETED {}", u8::from(store.lock().unwrap().remove(key).is_some())),
            Ok(Command::Count) => format!("COUNT {}", store.lock().unwrap().len()),
            Ok(Command::Quit) => break,
            Err(problem) => format!("ERROR {problem}"),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(address: SocketAddr) -> Client {
        Client(BufReader::new(TcpStream::connect(address).unwrap()))
    }

    fn ask(&mut self, command: &str) -> String {
        writeln!(self.0.get_mut(), "{command}").unwrap();
        let mut answer = String::new();
        self.0.read_line(&mut answer).unwrap();
        answer.trim_end().to_owned()
    }
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let store = Store::default();
    let server = thread::spawn({
        let store = store.clone();
        move || {
            let sessions: Vec<_> = listener
                .incoming()
                .take(4)
                .map(|stream| {
                    let store = store.clone();
                    thread::spawn(move || serve(stream.unwrap(), store).unwrap())
                })
                .collect();
            sessions.into_iter().for_each(|session| session.join().unwrap());
        }
    });
    let mut one = Client::connect(address);
    for command in ["GET name", "SET name Ferris the crab", "GET name", "SET", "FLY away", "COUNT"] {
        println!("{command}: {}", one.ask(command));
    }
    let others: Vec<_> = (0..3)
        .map(|id| {
            thread::spawn(move || {
                let mut client = Client::connect(address);
                (0..5).map(|n| client.ask(&format!("SET {id}/{n} {}", n * n))).filter(|it| it == "STORED").count()
            })
        })
        .collect();
    println!("{:?}", others.into_iter().map(|it| it.join().unwrap()).collect::<Vec<_>>());
    for command in ["COUNT", "GET 2/4", "SET 2/4 none", "DEL 2/4", "DEL 2/4", "COUNT"] {
        println!("{command}: {}", one.ask(command));
    }
    println!("after QUIT: {:?}", one.ask("QUIT"));
    server.join().unwrap();
    println!("{}", store.lock().unwrap().len());
}
