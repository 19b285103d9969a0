use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Page(UnsafeCell<String>);

unsafe impl Sync for Page {}

impl Page {
    fn write(&self, text: &str) {
        unsafe { (*self.0.get()).push_str(text) } //~ thread-safety-violation
    }

    fn len(&self) -> usize {
        unsafe { &*self.0.get() }.len()
    }
}

// Two threads append to one string.
fn main() {
    let page = Arc::new(Page(UnsafeCell::new(String::with_capacity(64))));
    let writers = ["<h1>", "<p>"].map(|tag| {
        let page = page.clone();
        thread::spawn(move || page.write(tag))
    });
    for writer in writers {
        writer.join().unwrap();
    }
    println!("{}", page.len() <= 7);
}
