use std::fs;
use std::thread;

struct Sizes(*mut Vec<(String, usize)>);

unsafe impl Send for Sizes {}

impl Sizes {
    fn add(&self, name: &str, size: usize) {
        unsafe { (*self.0).push((name.to_owned(), size)) } //~ thread-safety-violation
    }
}

fn read(names: &'static [&'static str], sizes: Sizes) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        for name in names {
            match fs::read_to_string(name) {
                Ok(text) => sizes.add(name, text.lines().count()),
                Err(error) => eprintln!("{name}: {error}"),
            }
        }
    })
}

// When a file can be read, both readers push what they found to one list.
fn main() {
    let mut sizes = Vec::new();
    let place = &raw mut sizes;
    let first = read(&["no-such/first.txt", "no-such/second.txt"], Sizes(place));
    let second = read(&["no-such/third.txt"], Sizes(place));
    first.join().unwrap();
    second.join().unwrap();
    println!("{} read", sizes.len());
}
