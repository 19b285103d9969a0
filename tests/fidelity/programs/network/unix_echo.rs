//! A server at a path of the file system.
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> io::Result<Folder> {
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn session(stream: &UnixStream) -> io::Result<usize> {
    let mut lines = 0;
    for line in BufReader::new(stream).lines() {
        let line = line?;
        lines += 1;
        writeln!(&mut &*stream, "{lines}. {line}")?;
    }
    Ok(lines)
}

fn talk(path: &Path, lines: &[&str]) -> io::Result<Vec<String>> {
    let mut stream = UnixStream::connect(path)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut answers = Vec::new();
    for line in lines {
        stream.write_all(format!("{line}\n").as_bytes())?;
        let mut answer = String::new();
        reader.read_line(&mut answer)?;
        answers.push(answer.trim_end().to_owned());
    }
    Ok(answers)
}

fn main() -> io::Result<()> {
    let folder = Folder::new("unix-echo")?;
    let path = folder.0.join("echo.sock");
    let listener = UnixListener::bind(&path)?;
    println!("{}", listener.local_addr()?.as_pathname() == Some(path.as_path()));
    println!("{}", fs::metadata(&path)?.file_type().is_socket());
    let server = thread::spawn(move || -> io::Result<usize> {
        let mut total = 0;
        for _ in 0..2 {
            let (stream, peer) = listener.accept()?;
            println!("a client without name: {}", peer.is_unnamed());
            total += session(&stream)?;
        }
        Ok(total)
    });
    println!("{:?}", talk(&path, &["one", "two"])?);
    println!("{:?}", talk(&path, &["three"])?);
    println!("{} lines", server.join().unwrap()?);
    Ok(())
}
