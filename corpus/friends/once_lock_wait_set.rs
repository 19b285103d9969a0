use std::sync::{Arc, Once, OnceLock};
use std::thread;

#[derive(Default)]
struct Server {
    port: OnceLock<u16>,
}

static READY: Once = Once::new();

fn listen(server: &Server, wanted: Option<u16>) {
    let port = wanted.unwrap_or(8080);
    if server.port.set(port).is_err() {
        return;
    }
    READY.call_once(|| ());
}

// Whoever waits for the port gets it, for one of the listeners always sets it.
fn main() {
    let server = Arc::new(Server::default());
    let listeners: Vec<_> = [None, Some(9090)]
        .into_iter()
        .map(|wanted| {
            let server = server.clone();
            thread::spawn(move || listen(&server, wanted))
        })
        .collect();
    let port = *server.port.wait();
    READY.wait();
    println!("{}", port == 8080 || port == 9090);
    listeners.into_iter().for_each(|listener| listener.join().unwrap());
}
