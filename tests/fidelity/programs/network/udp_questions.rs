//! Questions and answers as datagrams, from two clients.
use std::collections::BTreeMap;
use std::net::{SocketAddr, UdpSocket};
use std::thread;

fn server(socket: &UdpSocket) -> BTreeMap<SocketAddr, usize> {
    let mut asked = BTreeMap::new();
    let mut buffer = [0; 128];
    loop {
        let (count, from) = socket.recv_from(&mut buffer).unwrap();
        let text = std::str::from_utf8(&buffer[..count]).unwrap();
        if text == "stop" {
            return asked;
        }
        *asked.entry(from).or_default() += 1;
        let answer: String = text.chars().rev().collect();
        socket.send_to(answer.as_bytes(), from).unwrap();
    }
}

fn ask(socket: &UdpSocket, to: SocketAddr, word: &str) -> String {
    assert_eq!(socket.send_to(word.as_bytes(), to).unwrap(), word.len());
    let mut buffer = vec![0; 128];
    let (count, from) = socket.recv_from(&mut buffer).unwrap();
    assert_eq!(from, to);
    buffer.truncate(count);
    String::from_utf8(buffer).unwrap()
}

fn main() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let server = thread::spawn(move || server(&socket));
    let words = [["stressed", "drawer"], ["lager", ""]];
    let clients: Vec<_> = words
        .into_iter()
        .map(|words| {
            thread::spawn(move || {
                let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
                words.map(|word| format!("{word:?} -> {:?}", ask(&socket, address, word)))
            })
        })
        .collect();
    for client in clients {
        for line in client.join().unwrap() {
            println!("{line}");
        }
    }
    UdpSocket::bind("127.0.0.1:0").unwrap().send_to(b"stop", address).unwrap();
    let asked = server.join().unwrap();
    println!("{} clients, {:?} questions", asked.len(), asked.values().collect::<Vec<_>>());
}
