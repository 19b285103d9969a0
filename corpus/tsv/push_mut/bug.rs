use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Feed(UnsafeCell<Vec<u32>>);

unsafe impl Sync for Feed {}

impl Feed {
    fn publish(&self, post: u32) {
        unsafe { (*self.0.get()).push_mut(post) }; //~ thread-safety-violation
    }

    fn newest(&self) -> Option<u32> {
        let posts = unsafe { (*self.0.get()).iter() }; //~ thread-safety-violation
        posts.copied().max()
    }
}

// One thread pushes to the vector whose newest post another one reads.
fn main() {
    let feed = Arc::new(Feed(UnsafeCell::new(vec![5, 6, 7])));
    let author = {
        let feed = feed.clone();
        thread::spawn(move || feed.publish(8))
    };
    println!("{}", feed.newest() >= Some(7));
    author.join().unwrap();
}
