use std::sync::Mutex;

#[derive(Debug)]
struct Snapshot {
    names: Vec<String>,
    bytes: usize,
}

struct Uploads {
    files: Mutex<Vec<(String, usize)>>,
}

impl Uploads {
    fn bytes(&self) -> usize {
        self.files.lock().unwrap().iter().map(|file| file.1).sum()
    }

    fn snapshot(&self) -> Snapshot {
        let bytes = self.bytes();
        Snapshot { names: self.files.lock().unwrap().iter().map(|file| file.0.clone()).collect(), bytes }
    }
}

// The guard of the first field is a temporary of the whole literal.
fn main() {
    let uploads = Uploads { files: Mutex::new(vec![("a.txt".to_string(), 10), ("b.txt".to_string(), 5)]) };
    println!("{:?}", uploads.snapshot());
}
