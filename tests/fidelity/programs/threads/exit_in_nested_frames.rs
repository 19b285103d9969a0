// `process::exit` in a nested frame of another thread: nothing is dropped, `main` does not go on.
use std::process;
use std::sync::mpsc;
use std::thread;

struct Loud(&'static str);
impl Drop for Loud {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn deep(level: u32) {
    let _loud = Loud("never");
    if level == 0 {
        print!("unfinished line");
        process::exit(17);
    }
    deep(level - 1);
}

fn main() {
    let _loud = Loud("main's");
    let (sender, receiver) = mpsc::channel::<()>();
    let handle = thread::spawn(move || {
        let _sender = sender;
        deep(3);
    });
    println!("{:?}", receiver.recv());
    handle.join().unwrap();
    println!("not reached");
}
