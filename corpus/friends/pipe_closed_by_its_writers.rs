use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::sync::{Arc, Mutex};
use std::thread;

/// Writes whole lines, whoever calls.
#[derive(Clone)]
struct Out(Arc<Mutex<PipeWriter>>);

impl Out {
    fn line(&self, text: &str) -> io::Result<()> {
        writeln!(self.0.lock().unwrap(), "{text}")
    }
}

// The reader is joined last and needs the end of the pipe, which is closed when the last owner of the writer has ended.
fn main() -> io::Result<()> {
    let (reader, writer) = io::pipe()?;
    let out = Out(Arc::new(Mutex::new(writer)));
    let reader = thread::spawn(move || BufReader::new(reader).lines().map_while(Result::ok).count());
    let writers: Vec<_> = (0..3)
        .map(|id| {
            let out = out.clone();
            thread::spawn(move || (0..2).try_for_each(|step| out.line(&format!("{id}: step {step}"))))
        })
        .collect();
    out.line("all started")?;
    drop(out);
    for writer in writers {
        writer.join().unwrap()?;
    }
    println!("{}", reader.join().unwrap());
    Ok(())
}
