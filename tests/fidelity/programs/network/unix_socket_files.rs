//! A socket's file stays when its listener has gone, and a server removes what the last one left.
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;

/// Binds even if a server that has ended left its file.
fn bind_anew(path: &Path) -> io::Result<UnixListener> {
    match UnixListener::bind(path) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => match UnixStream::connect(path) {
            Ok(_) => Err(error),
            Err(_) => {
                println!("nobody answers at the old file");
                fs::remove_file(path)?;
                UnixListener::bind(path)
            }
        },
        other => other,
    }
}

fn main() -> io::Result<()> {
    let folder = std::env::temp_dir().join(format!("unix-socket-files-{}", std::process::id()));
    fs::create_dir(&folder)?;
    let path = folder.join("service");
    println!("{:?}", UnixStream::connect(&path).map_err(|error| error.kind()).err());
    {
        let listener = UnixListener::bind(&path)?;
        println!("{:?}", UnixListener::bind(&path).map_err(|error| error.kind()).err());
        println!("{:?}", bind_anew(&path).map_err(|error| error.kind()).err());
        let client = UnixStream::connect(&path)?;
        println!("{}", client.peer_addr()?.as_pathname() == Some(&path));
        println!("{}", listener.accept()?.1.is_unnamed());
    }
    let kind = fs::symlink_metadata(&path)?.file_type();
    println!("{} {} {}", kind.is_socket(), kind.is_file(), path.exists());
    println!("{:?}", UnixStream::connect(&path).map_err(|error| error.kind()).err());
    println!("{:?}", fs::read(&path).map_err(|error| error.raw_os_error()));
    let _listener = bind_anew(&path)?;
    let moved = folder.join("moved");
    fs::rename(&path, &moved)?;
    println!("{} {}", UnixStream::connect(&moved).is_ok(), UnixStream::connect(&path).is_ok());

    fs::write(folder.join("text"), "not a socket")?;
    println!("{:?}", UnixStream::connect(folder.join("text")).map_err(|error| error.kind()).err());
    let long = folder.join("x".repeat(120));
    println!("{:?}", UnixListener::bind(&long).map_err(|error| error.kind()).err());
    println!("{:?}", SocketAddr::from_pathname("relative/path")?.as_pathname());
    fs::remove_dir_all(&folder)
}
