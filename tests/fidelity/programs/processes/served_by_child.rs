//! A child serves TCP: it prints its port, answers its parent, and ends when it is asked to.
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

fn server() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("port {}", listener.local_addr()?.port());
    let mut names = Vec::new();
    for stream in listener.incoming() {
        let stream = stream?;
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line)?;
        match line.trim() {
            "quit" => break,
            name => {
                names.push(name.to_owned());
                writeln!(&stream, "hello {name}, you are {}", names.len())?;
            }
        }
    }
    println!("greeted {}", names.join(" and "));
    Ok(())
}

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return server();
    }
    let mut child = Command::new(std::env::current_exe()?).arg("serve").stdout(Stdio::piped()).spawn()?;
    let mut out = BufReader::new(child.stdout.take().expect("piped")).lines();
    let first = out.next().expect("a line")?;
    let port: u16 = first.strip_prefix("port ").and_then(|it| it.parse().ok()).expect("a port");
    for name in ["Ada", "Grace"] {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        writeln!(stream, "{name}")?;
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer)?;
        print!("{answer}");
    }
    writeln!(TcpStream::connect(("127.0.0.1", port))?, "quit")?;
    for line in out {
        println!("the server says: {}", line?);
    }
    println!("{}", child.wait()?);
    println!("{:?}", TcpStream::connect(("127.0.0.1", port)).map_err(|error| error.kind()).err());
    Ok(())
}
