use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};

struct Channel<T> {
    message: UnsafeCell<Option<T>>,
    ready: AtomicBool,
}

unsafe impl<T: Send> Sync for Channel<T> {}

struct Sender<T> {
    channel: Arc<Channel<T>>,
    receiver: Thread,
}

impl<T> Sender<T> {
    fn send(self, message: T) {
        unsafe { *self.channel.message.get() = Some(message) };
        self.channel.ready.store(true, Ordering::Release);
        self.receiver.unpark();
    }
}

fn receive<T>(channel: &Channel<T>) -> T {
    while !channel.ready.swap(false, Ordering::Acquire) {
        thread::park();
    }
    unsafe { (*channel.message.get()).take() }.expect("it was ready")
}

// The message is written before the flag is released, and read after it was acquired; the token is never lost.
fn main() {
    let channel = Arc::new(Channel { message: UnsafeCell::new(None), ready: AtomicBool::new(false) });
    let sender = Sender { channel: channel.clone(), receiver: thread::current() };
    let worker = thread::spawn(move || sender.send(vec!["a".to_string(), "b".to_string()]));
    println!("{}", receive(&channel).concat());
    worker.join().unwrap();
}
