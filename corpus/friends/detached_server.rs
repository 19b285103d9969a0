use std::sync::mpsc;
use std::thread;

// The server waits forever when `main` returns, and ends with the process.
fn main() {
    let (requests, inbox) = mpsc::channel::<(u32, mpsc::Sender<u32>)>();
    thread::spawn(move || {
        for (n, reply) in inbox {
            reply.send(n * n).unwrap();
        }
    });
    let (reply, answers) = mpsc::channel();
    requests.send((7, reply)).unwrap();
    println!("{}", answers.recv().unwrap());
    std::mem::forget(requests);
}
