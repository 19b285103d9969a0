use std::io::{self, Read, Write};
use std::thread;

// The reader waits for the end of what is written, and has itself a handle to write with.
fn main() -> io::Result<()> {
    let (mut reader, writer) = io::pipe()?;
    let mut threads = Vec::new();
    for name in ["alpha", "beta"] {
        let mut writer = writer.try_clone()?;
        threads.push(thread::spawn(move || writeln!(writer, "{name}")));
    }
    drop(writer);
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    for thread in threads {
        thread.join().unwrap()?;
    }
    println!("{} lines", text.lines().count());
    Ok(())
}
