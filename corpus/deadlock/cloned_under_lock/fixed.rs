use std::sync::{Arc, Mutex};
use std::thread;

struct Buffer {
    bytes: Mutex<Vec<u8>>,
    clones: Arc<Mutex<u32>>,
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        let bytes = self.bytes.lock().unwrap();
        *self.clones.lock().unwrap() += 1;
        Buffer { bytes: Mutex::new(bytes.clone()), clones: self.clones.clone() }
    }
}

impl PartialEq for Buffer {
    fn eq(&self, other: &Self) -> bool {
        let own = self.bytes.lock().unwrap();
        let own = { let bytes = own.clone(); drop(own); bytes };
        own == *other.bytes.lock().unwrap()
    }
}

fn report(buffers: &[Buffer]) -> (u32, usize) {
    let clones = buffers[0].clones.lock().unwrap();
    let count = *clones;
    drop(clones);
    (count, buffers.iter().map(|buffer| buffer.bytes.lock().unwrap().len()).sum())
}

// `clone` takes the bytes before the count, the report the count before the bytes.
fn main() {
    let clones = Arc::default();
    let first = Buffer { bytes: Mutex::new(vec![1, 2]), clones };
    let second = first.clone();
    let buffers = Arc::new([first, second]);
    let copier = thread::spawn({
        let buffers = buffers.clone();
        move || buffers.to_vec().len()
    });
    let (_, bytes) = report(&*buffers);
    println!("{bytes} {} {}", copier.join().unwrap(), buffers[0] == buffers[1]);
}
