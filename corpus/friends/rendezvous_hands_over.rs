use std::sync::mpsc::{self, SyncSender};
use std::thread;

struct Slab {
    words: Box<[u64]>,
}

struct View(*mut Slab);

unsafe impl Send for View {}

fn fill(view: View, back: SyncSender<View>) {
    let slab = unsafe { &mut *view.0 };
    for (n, word) in slab.words.iter_mut().enumerate() {
        *word += n as u64;
    }
    back.send(view).unwrap();
}

// The slab is used by whoever has its pointer, which goes to and fro through channels without room.
fn main() {
    let mut slab = Slab { words: vec![1; 3].into() };
    let (there, here) = mpsc::sync_channel::<View>(0);
    let (back, again) = mpsc::sync_channel(0);
    let worker = thread::spawn(move || {
        for view in here {
            fill(view, back.clone());
        }
    });
    let mut view = View(&raw mut slab);
    for _ in 0..2 {
        there.send(view).unwrap();
        view = again.recv().unwrap();
        unsafe { (*view.0).words[0] += 10 };
    }
    drop(there);
    worker.join().unwrap();
    println!("{:?}", slab.words);
}
