use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::mpsc;
use std::thread;

// The reader waits for lines that nobody will write, until the connection is shut down under it.
fn main() -> io::Result<()> {
    let (near, mut far) = UnixStream::pair()?;
    let (sender, lines) = mpsc::channel();
    let reading = near.try_clone()?;
    let reader = thread::spawn(move || {
        let mut count = 0;
        for line in BufReader::new(reading).lines() {
            sender.send(line?).unwrap();
            count += 1;
        }
        io::Result::Ok(count)
    });
    writeln!(far, "first")?;
    writeln!(far, "second")?;
    println!("{:?} {:?}", lines.recv(), lines.recv());
    near.shutdown(Shutdown::Both)?;
    println!("{}", reader.join().unwrap()?);
    Ok(())
}
