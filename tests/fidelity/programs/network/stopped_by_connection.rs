//! A server that blocks in `accept` is stopped by a flag and a last connection.
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, JoinHandle};

struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    served: Arc<AtomicU32>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Server {
    fn start() -> io::Result<Server> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let served = Arc::new(AtomicU32::new(0));
        let (asked, counter) = (stop.clone(), served.clone());
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream?;
                if asked.load(Ordering::SeqCst) {
                    break;
                }
                let number = counter.fetch_add(1, Ordering::SeqCst) + 1;
                write!(stream, "you are number {number}")?;
            }
            Ok(())
        });
        Ok(Server { address, stop, served, thread: Some(thread) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        let result = self.thread.take().unwrap().join().unwrap();
        println!("stopped after {} clients: {}", self.served.load(Ordering::SeqCst), result.is_ok());
    }
}

fn visit(address: SocketAddr) -> io::Result<String> {
    let mut text = String::new();
    TcpStream::connect(address)?.read_to_string(&mut text)?;
    Ok(text)
}

fn main() -> io::Result<()> {
    let address = {
        let server = Server::start()?;
        for _ in 0..3 {
            println!("{}", visit(server.address)?);
        }
        server.address
    };
    println!("{:?}", visit(address).map_err(|error| error.kind()));
    // One that nobody ever visits.
    drop(Server::start()?);
    Ok(())
}
