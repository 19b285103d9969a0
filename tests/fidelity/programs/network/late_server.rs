//! A client that tries again until its server is there.
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

fn connect_with_retries(path: &Path, attempts: u32) -> Result<(UnixStream, u32), io::Error> {
    let mut pause = Duration::from_millis(1);
    for attempt in 1.. {
        match UnixStream::connect(path) {
            Ok(stream) => return Ok((stream, attempt)),
            Err(error) if attempt == attempts => return Err(error),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Err(error) => return Err(error),
        }
    }
    unreachable!()
}

fn main() {
    let folder = std::env::temp_dir().join(format!("late-server-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    let path = folder.join("socket");
    println!("{:?}", connect_with_retries(&path, 3).map_err(|error| error.kind()).err());

    let server = thread::spawn({
        let path = path.clone();
        move || {
            thread::sleep(Duration::from_millis(30));
            let listener = UnixListener::bind(path).unwrap();
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(b"sorry, I am late").unwrap();
        }
    });
    let (mut stream, attempt) = connect_with_retries(&path, 1000).expect("in the end");
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    println!("{text}, at the first attempt: {}", attempt == 1);
    server.join().unwrap();
    fs::remove_dir_all(folder).unwrap();
}
