use std::sync::{Mutex, RwLock};

#[derive(Debug)]
struct Node {
    load: Mutex<u32>,
    peers: RwLock<Vec<u32>>,
}

// `Debug` of a lock only tries to take it.
fn main() {
    let node = Node { load: Mutex::new(3), peers: RwLock::new(vec![1]) };
    let mut load = node.load.lock().unwrap();
    let mut peers = node.peers.write().unwrap();
    *load += 1;
    peers.push(2);
    println!("{node:?}");
    drop((load, peers));
    println!("{node:?}");
}
