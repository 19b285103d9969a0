use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::thread;

// Several producers own a sender each, and the receiver alone owns the map.
fn main() {
    let (sender, receiver) = channel::<(&'static str, u32)>();
    for (name, base) in [("left", 0), ("right", 10)] {
        let sender = sender.clone();
        thread::spawn(move || (0..2).for_each(|n| sender.send((name, base + n)).unwrap()));
    }
    drop(sender);
    let mut readings: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (name, value) in receiver {
        readings.entry(name).or_default().push(value);
    }
    println!("{readings:?}");
}
