use std::sync::Mutex;
use std::thread;

struct Stats<'a> {
    words: &'a [&'a str],
    longest: &'a Mutex<&'a str>,
}

impl<'a> Stats<'a> {
    fn run(&self, from: usize, counts: &mut [usize]) {
        for (at, count) in counts.iter_mut().enumerate() {
            let word = self.words[from + at];
            *count = word.len();
            let mut longest = self.longest.lock().unwrap();
            if word.len() > longest.len() {
                *longest = word;
            }
        }
    }
}

// The threads write disjoint parts of a local array and a local under a lock, which `main` reads after the scope.
fn main() {
    let text = String::from("the quick brown elephant jumps");
    let words: Vec<&str> = text.split(' ').collect();
    let longest = Mutex::new("");
    let mut counts = vec![0; words.len()];
    let stats = Stats { words: &words, longest: &longest };
    thread::scope(|scope| {
        let mut from = 0;
        for part in counts.chunks_mut(2) {
            let (stats, start) = (&stats, from);
            from += part.len();
            scope.spawn(move || stats.run(start, part));
        }
    });
    println!("{counts:?} {}", longest.lock().unwrap());
}
