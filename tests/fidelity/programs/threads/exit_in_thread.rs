use std::io::Write;
use std::sync::mpsc;
use std::thread;

struct Never;

impl Drop for Never {
    fn drop(&mut self) {
        println!("never dropped");
    }
}

thread_local! {
    static LOCAL: Never = const { Never };
}

fn deep(n: u32) -> u32 {
    let _never = Never;
    if n == 0 {
        print!("unfinished line");
        std::io::stdout().flush().unwrap();
        println!();
        print!("kept in the buffer until the end");
        std::process::exit(7);
    }
    deep(n - 1) + 1
}

fn main() {
    let _never = Never;
    let (tx, rx) = mpsc::channel::<()>();
    let exits = thread::spawn(move || {
        LOCAL.with(|_| ());
        let _tx = tx;
        deep(3)
    });
    // Nobody ever sends: the process ends while `main` waits.
    let _ = rx.recv();
    let _ = exits.join();
    println!("not reached");
}
