use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

enum Request {
    Get { key: String, reply: Sender<Option<u32>> },
    Put { key: String, value: u32 },
    Wait { key: String, reply: Sender<Option<u32>> },
}

#[derive(Default)]
struct Store {
    values: HashMap<String, u32>,
    waiting: HashMap<String, Vec<Sender<Option<u32>>>>,
}

impl Store {
    fn serve(mut self, requests: Receiver<Request>) -> usize {
        for request in requests { //~ deadlock
            match request {
                Request::Get { key, reply } => _ = reply.send(self.values.get(&key).copied()),
                Request::Put { key, value } => {
                    self.values.insert(key.clone(), value);
                    if let Some(first) = self.waiting.get_mut(&key).and_then(Vec::pop) {
                        _ = first.send(Some(value));
                    }
                }
                Request::Wait { key, reply } => match self.values.get(&key) {
                    Some(&value) => _ = reply.send(Some(value)),
                    None => self.waiting.entry(key).or_default().push(reply),
                },
            }
        }
        self.values.len()
    }
}

fn wait_for(store: &Sender<Request>, key: &str) -> Option<u32> {
    let (reply, answer) = mpsc::channel();
    store.send(Request::Wait { key: key.to_string(), reply }).ok()?;
    answer.recv().ok().flatten() //~ deadlock
}

// Of those who wait for a key only one is told when it is put.
fn main() {
    let (store, requests) = mpsc::channel();
    let server = thread::spawn(move || Store::default().serve(requests));
    let clients: Vec<_> = (0..2)
        .map(|_| {
            let store = store.clone();
            thread::spawn(move || wait_for(&store, "port"))
        })
        .collect();
    store.send(Request::Put { key: "port".to_string(), value: 80 }).unwrap();
    for client in clients {
        println!("{:?}", client.join().unwrap()); //~ deadlock
    }
    let (reply, answer) = mpsc::channel();
    store.send(Request::Get { key: "port".to_string(), reply }).unwrap();
    println!("{:?}", answer.recv());
    drop(store);
    println!("{}", server.join().unwrap());
}
