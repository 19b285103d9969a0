//! Datagrams between Unix sockets: named, unnamed, in pairs, with their borders kept.
use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;

fn name(address: &std::os::unix::net::SocketAddr) -> String {
    match address.as_pathname() {
        Some(path) => path.file_name().unwrap().to_string_lossy().into_owned(),
        None => format!("unnamed: {}", address.is_unnamed()),
    }
}

fn run(folder: &PathBuf) -> io::Result<()> {
    let mut buffer = [0; 16];
    let logger = UnixDatagram::bind(folder.join("log"))?;
    let named = UnixDatagram::bind(folder.join("app"))?;
    let unnamed = UnixDatagram::unbound()?;
    println!("{} {}", name(&named.local_addr()?), name(&unnamed.local_addr()?));

    named.send_to(b"from app", folder.join("log"))?;
    unnamed.send_to(b"from somebody else", folder.join("log"))?;
    for _ in 0..2 {
        let (count, from) = logger.recv_from(&mut buffer)?;
        println!("{count} {:?} from {}", String::from_utf8_lossy(&buffer[..count]), name(&from));
    }

    println!("{:?}", unnamed.send(b"x").map_err(|error| error.kind()));
    unnamed.connect(folder.join("log"))?;
    println!("{}", unnamed.send(b"connected")?);
    println!("{} {}", logger.recv(&mut buffer)?, name(&unnamed.peer_addr()?));
    logger.send_to(b"reply", folder.join("app"))?;
    println!("{} {:?}", named.recv(&mut buffer)?, String::from_utf8_lossy(&buffer[..5]));

    println!("{:?}", named.send_to(b"x", folder.join("nobody")).map_err(|error| error.kind()));
    drop(logger);
    println!("{:?}", named.send_to(b"x", folder.join("log")).map_err(|error| error.kind()));
    println!("{:?}", unnamed.send(b"x").map_err(|error| error.kind()));

    let (left, right) = UnixDatagram::pair()?;
    for word in ["one", "", "three"] {
        left.send(word.as_bytes())?;
    }
    let counts = [(); 3].map(|()| right.recv(&mut buffer).unwrap());
    println!("{counts:?}");
    left.set_nonblocking(true)?;
    println!("{:?}", left.recv(&mut buffer).map_err(|error| error.kind()));
    drop(right);
    println!("{:?}", left.send(b"x").map_err(|error| error.kind()));
    Ok(())
}

fn main() -> io::Result<()> {
    let folder = std::env::temp_dir().join(format!("unix-datagrams-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let result = run(&folder);
    std::fs::remove_dir_all(&folder)?;
    result
}
