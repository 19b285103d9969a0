use std::sync::Mutex;
use std::thread;

struct Report {
    lines: Mutex<Vec<String>>,
}

impl Report {
    fn section(&self, title: &str, body: impl Fn() -> usize) {
        let count = body();
        self.lines.lock().unwrap().push(format!("{title}: {count}")); //~ deadlock
    }
}

// The first section is waited for with the lock in hand that it needs for its line.
fn main() {
    let report = Report { lines: Mutex::default() };
    let words = ["a", "bc", "def"];
    thread::scope(|scope| {
        let first = scope.spawn(|| report.section("words", || words.len()));
        scope.spawn(|| report.section("letters", || words.iter().map(|word| word.len()).sum()));
        let mut lines = report.lines.lock().unwrap();
        first.join().unwrap(); //~ deadlock
        lines.push("end of words".to_string());
    });
    println!("{}", report.lines.lock().unwrap().len());
}
