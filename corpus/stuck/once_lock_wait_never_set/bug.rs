use std::sync::{Arc, OnceLock};
use std::thread;

#[derive(Default)]
struct Service {
    address: OnceLock<String>,
}

impl Service {
    fn start(&self, port: Result<u16, String>) -> Result<(), String> {
        let port = port?;
        self.address.set(format!("127.0.0.1:{port}")).map_err(|_| "started twice".to_string())
    }

    fn client(&self) -> String {
        format!("GET http://{}/", self.address.wait()) //~ deadlock
    }
}

fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("{text} is no port"))
}

// A service that fails to start never sets its address, and the client waits for that.
fn main() {
    let service = Arc::new(Service::default());
    let starter = {
        let service = service.clone();
        thread::spawn(move || {
            if let Err(error) = service.start(port("eighty")) {
                eprintln!("{error}");
            }
        })
    };
    println!("{}", service.client());
    starter.join().unwrap();
}
