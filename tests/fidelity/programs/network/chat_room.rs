//! A room whose members hear what the others say, in one order.
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

enum Event {
    Joined { name: String, stream: TcpStream },
    Said { name: String, text: String },
    Left { name: String },
}

/// The only one who writes to the members.
fn room(events: Receiver<Event>) -> Vec<String> {
    let mut members: BTreeMap<String, TcpStream> = BTreeMap::new();
    let mut history = Vec::new();
    for event in events {
        let (from, text) = match event {
            Event::Joined { name, stream } => {
                let text = format!("* {name} joins {} others", members.len());
                members.insert(name.clone(), stream);
                (name, text)
            }
            Event::Said { name, text } => {
                let text = format!("{name}: {text}");
                (name, text)
            }
            Event::Left { name } => {
                members.remove(&name);
                let text = format!("* {name} has left");
                (name, text)
            }
        };
        for (_, stream) in members.iter_mut().filter(|(name, _)| **name != from) {
            let _ = writeln!(stream, "{text}");
        }
        if let Some(own) = members.get_mut(&from) {
            let _ = writeln!(own, "ok");
        }
        history.push(text);
    }
    history
}

fn member(stream: TcpStream, events: Sender<Event>) -> io::Result<()> {
    let writer = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    let Some(name) = lines.next().transpose()? else { return Ok(()) };
    events.send(Event::Joined { name: name.clone(), stream: writer }).unwrap();
    for text in lines {
        events.send(Event::Said { name: name.clone(), text: text? }).unwrap();
    }
    events.send(Event::Left { name }).unwrap();
    Ok(())
}

struct Person(BufReader<TcpStream>);

impl Person {
    fn enter(address: SocketAddr, name: &str) -> Person {
        let mut person = Person(BufReader::new(TcpStream::connect(address).unwrap()));
        person.say(name);
        person
    }

    fn say(&mut self, text: &str) {
        writeln!(self.0.get_mut(), "{text}").unwrap();
        assert_eq!(self.hear(), "ok");
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (events, received) = mpsc::channel();
    let room = thread::spawn(move || room(received));
    let server = thread::spawn(move || {
        let members: Vec<_> = (0..3)
            .map(|_| {
                let (stream, _) = listener.accept().unwrap();
                let events = events.clone();
                thread::spawn(move || member(stream, events).unwrap())
            })
            .collect();
        members.into_iter().for_each(|it| it.join().unwrap());
    });
    let mut ann = Person::enter(address, "ann");
    let mut bob = Person::enter(address, "bob");
    println!("ann hears {:?}", ann.hear());
    ann.say("hello bob");
    println!("bob hears {:?}", bob.hear());
    let mut eve = Person::enter(address, "eve");
    println!("{:?} {:?}", ann.hear(), bob.hear());
    bob.say("who is that?");
    println!("{:?} {:?}", ann.hear(), eve.hear());
    drop(bob);
    println!("{:?} {:?}", ann.hear(), eve.hear());
    eve.say("we are alone");
    println!("{:?}", ann.hear());
    drop(ann);
    println!("{:?}", eve.hear());
    drop(eve);
    server.join().unwrap();
    for line in room.join().unwrap() {
        println!("| {line}");
    }
}
