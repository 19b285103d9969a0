use std::sync::Arc;
use std::sync::Mutex;
use std::thread;

struct Feed(Mutex<Vec<u32>>);

impl Feed {
    fn publish(&self, post: u32) {
        self.0.lock().unwrap().push_mut(post);
    }

    fn newest(&self) -> Option<u32> {
        let posts = self.0.lock().unwrap();
        posts.iter().copied().max()
    }
}

// One thread pushes to the vector whose newest post another one reads.
fn main() {
    let feed = Arc::new(Feed(Mutex::new(vec![5, 6, 7])));
    let author = {
        let feed = feed.clone();
        thread::spawn(move || feed.publish(8))
    };
    println!("{}", feed.newest() >= Some(7));
    author.join().unwrap();
}
