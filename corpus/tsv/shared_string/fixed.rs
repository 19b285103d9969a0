use std::sync::Arc;
use std::sync::Mutex;
use std::thread;

struct Page(Mutex<String>);

impl Page {
    fn write(&self, text: &str) {
        self.0.lock().unwrap().push_str(text)
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

// Two threads append to one string.
fn main() {
    let page = Arc::new(Page(Mutex::new(String::with_capacity(64))));
    let writers = ["<h1>", "<p>"].map(|tag| {
        let page = page.clone();
        thread::spawn(move || page.write(tag))
    });
    for writer in writers {
        writer.join().unwrap();
    }
    println!("{}", page.len() <= 7);
}
