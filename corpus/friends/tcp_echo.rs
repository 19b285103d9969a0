use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

fn serve(stream: TcpStream) {
    let mut writer = stream.try_clone().unwrap();
    for line in BufReader::new(stream).lines() {
        writeln!(writer, "{}", line.unwrap().to_uppercase()).unwrap();
    }
}

// The server waits for two clients of the program's own, and each of them gets its own answers.
fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let workers: Vec<_> = listener.incoming().take(2).map(|it| thread::spawn(|| serve(it.unwrap()))).collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
    let clients: Vec<_> = ["one", "two"]
        .into_iter()
        .map(|word| {
            thread::spawn(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                writeln!(stream, "{word}").unwrap();
                stream.shutdown(Shutdown::Write).unwrap();
                BufReader::new(stream).lines().map(|line| line.unwrap()).collect::<String>()
            })
        })
        .collect();
    let answers: Vec<String> = clients.into_iter().map(|client| client.join().unwrap()).collect();
    server.join().unwrap();
    println!("{}", answers.join(" "));
}
