use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

struct Record {
    line: usize,
    fields: Vec<String>,
}

fn parse(text: &str, out: &SyncSender<Record>) -> usize {
    let mut sent = 0;
    for (line, text) in text.lines().enumerate() {
        let fields = text.split(',').map(str::to_owned).collect();
        if out.send(Record { line, fields }).is_err() { //~ deadlock
            break;
        }
        sent += 1;
    }
    sent
}

struct Sink {
    records: Receiver<Record>,
    width: usize,
}

impl Sink {
    fn store(&self) -> Result<usize, String> {
        let mut stored = 0;
        for record in &self.records {
            if record.fields.len() != self.width {
                return Err(format!("line {}: {} fields", record.line, record.fields.len()));
            }
            stored += 1;
        }
        Ok(stored)
    }
}

// The sink gives up at the second line but keeps the receiver, so the parser waits for room.
fn main() {
    let (out, records) = mpsc::sync_channel(1);
    let parser = thread::spawn(move || parse("a,b\nc\nd,e\nf,g\nh,i", &out));
    let sink = Sink { records, width: 2 };
    let result = sink.store();
    let sent = parser.join().unwrap(); //~ deadlock
    println!("{result:?} {}", sent > 1);
}
