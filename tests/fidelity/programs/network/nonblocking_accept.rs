//! A main loop that accepts without blocking and does other work in between.
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    println!("{:?}", listener.accept().map_err(|error| error.kind()).err());

    let address = listener.local_addr()?;
    let clients: Vec<_> = (1..=3)
        .map(|id: u8| {
            thread::spawn(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                stream.write_all(&[id; 5]).unwrap();
                let mut answer = [0; 1];
                stream.read_exact(&mut answer).unwrap();
                answer[0]
            })
        })
        .collect();

    let mut idle_rounds = 0u64;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        match listener.accept() {
            Ok((mut stream, _)) => {
                // Whether an accepted socket blocks does not depend on its listener.
                let mut five = [0; 5];
                stream.read_exact(&mut five)?;
                stream.write_all(&[five.iter().sum()])?;
                seen.push(five[0]);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                idle_rounds += 1;
                thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(error),
        }
    }
    seen.sort_unstable();
    println!("{seen:?} {}", idle_rounds < 10_000);
    println!("{:?}", clients.into_iter().map(|it| it.join().unwrap()).collect::<Vec<_>>());
    Ok(())
}
