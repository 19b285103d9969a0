use std::sync::Mutex;

struct Crawler {
    pending: Mutex<Vec<u32>>,
    visited: Mutex<Vec<u32>>,
}

impl Crawler {
    fn links(page: u32) -> Vec<u32> {
        (1..=2).map(|i| page * 2 + i).filter(|page| *page < 7).collect()
    }

    fn run(&self) {
        while let Some(page) = self.pending.lock().unwrap().pop() {
            self.visited.lock().unwrap().push(page);
            for link in Crawler::links(page) {
                self.pending.lock().unwrap().push(link); //~ deadlock
            }
        }
    }
}

// The guard of a `while let` lives through the body, which takes the lock again.
fn main() {
    let crawler = Crawler { pending: Mutex::new(vec![0]), visited: Mutex::default() };
    crawler.run();
    println!("{:?}", crawler.visited.lock().unwrap());
}
