use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom, Write};
use std::time::Duration;

struct Upper<W: Write>(W, usize);
impl<W: Write> Write for Upper<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.1 += 1;
        self.0.write(&buf[..buf.len().min(4)].to_ascii_uppercase())
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn fails(n: u32) -> io::Result<u32> {
    match n {
        0 => Err(io::Error::other("custom")),
        1 => Err(io::ErrorKind::NotFound.into()),
        2 => Err(io::Error::new(io::ErrorKind::InvalidData, "bad data")),
        n => Ok(n),
    }
}

fn main() -> io::Result<()> {
    let out = io::stdout();
    let mut lock = out.lock();
    writeln!(lock, "locked {}", 1)?;
    lock.write_all(b"raw bytes\n")?;
    lock.flush()?;
    drop(lock);
    print!("no newline, ");
    io::stdout().flush()?;
    println!("then one");
    let mut u = Upper(Vec::new(), 0);
    write!(u, "hello {}", "world")?;
    println!("{:?} {}", String::from_utf8_lossy(&u.0), u.1 > 2);
    let mut c = Cursor::new(b"line one\nline two\nlast".to_vec());
    let mut first = String::new();
    println!("{} {:?}", c.read_line(&mut first)?, first);
    println!("{:?}", std::io::Read::by_ref(&mut c).lines().map(|l| l.unwrap()).collect::<Vec<_>>());
    c.seek(SeekFrom::Start(5))?;
    let mut buf = [0; 3];
    c.read_exact(&mut buf)?;
    println!("{:?} {}", std::str::from_utf8(&buf), c.position());
    println!("{:?}", c.read_exact(&mut [0; 99]).map_err(|e| e.kind()));
    let mut s: &[u8] = b"abc,def";
    println!("{:?}", s.by_ref().split(b',').map(|p| p.unwrap().len()).collect::<Vec<_>>());
    let mut t = String::new();
    b"tail".take(2).chain(&b"XY"[..]).read_to_string(&mut t)?;
    println!("{t}");
    for n in 0..4 {
        match fails(n) {
            Ok(n) => println!("ok {n}"),
            Err(e) => println!("{e} {:?} {e:?}", e.kind()),
        }
    }
    let d = Duration::from_millis(2500) + Duration::from_secs(1) * 2;
    println!("{:?} {} {} {:?}", d, d.as_secs(), d.subsec_millis(), d / 3);
    println!("{:?} {:?}", d.checked_sub(Duration::MAX), Duration::from_secs_f64(0.25).as_secs_f32());
    println!("{:?} {:?} {:?}", Duration::from_nanos(1), Duration::from_micros(1500), Duration::ZERO);
    println!("{:.1?} {:>10?}|{:<8?}|", Duration::from_millis(1234), Duration::from_secs(5), Duration::from_millis(7));
    eprint!("err ");
    writeln!(io::stderr(), "stderr {}", 2)?;
    fails(2)?;
    Ok(())
}
