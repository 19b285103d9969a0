//! Sockets and files as the streams of a child.
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

fn main() -> io::Result<()> {
    if std::env::args().nth(1).is_some() {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text)?;
        eprintln!("the child was given {} bytes", text.len());
        print!("{}", text.to_uppercase());
        return Ok(());
    }
    let program = std::env::current_exe()?;
    // One socket in both directions.
    let (mut ours, theirs) = UnixStream::pair()?;
    let twin = theirs.try_clone()?;
    let mut command = Command::new(&program);
    command.arg("child").stdin(OwnedFd::from(theirs)).stdout(OwnedFd::from(twin)).stderr(Stdio::piped());
    let child = command.spawn()?;
    // The command keeps its copies until it is dropped.
    drop(command);
    ours.write_all(b"over a socket")?;
    ours.shutdown(std::net::Shutdown::Write)?;
    let mut text = String::new();
    ours.read_to_string(&mut text)?;
    println!("{text}");
    print!("{}", String::from_utf8_lossy(&child.wait_with_output()?.stderr));

    // From a file into another one; the position is shared with the child.
    let path = std::env::temp_dir().join(format!("sockets-for-children-{}", std::process::id()));
    std::fs::write(&path, "skipped|taken")?;
    let mut input = File::open(&path)?;
    input.seek(io::SeekFrom::Start(8))?;
    let result = path.with_extension("result");
    let status = Command::new(&program)
        .arg("child")
        .stdin(input.try_clone()?)
        .stdout(File::create(&result)?)
        .stderr(Stdio::null())
        .status()?;
    println!("{status} {:?} {}", std::fs::read_to_string(&result)?, input.stream_position()?);

    // Both streams of output in one pipe.
    let (mut reader, writer) = io::pipe()?;
    let mut child =
        Command::new(&program).arg("child").stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).spawn()?;
    text.clear();
    reader.read_to_string(&mut text)?;
    println!("{text:?} {}", child.wait()?);
    std::fs::remove_file(&result)?;
    std::fs::remove_file(&path)
}
