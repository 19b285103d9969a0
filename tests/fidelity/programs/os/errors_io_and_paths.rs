use std::alloc::Layout;
use std::any::*;
use std::error::Error;
use std::ffi::*;
use std::fmt;
use std::io::{self, *};
use std::net::*;
use std::path::*;
use std::time::Duration;
#[derive(Debug)]
enum E {
    Io(io::Error),
    Num(std::num::ParseIntError),
    Other,
}
impl fmt::Display for E {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            E::Io(e) => write!(f, "io: {e}"),
            E::Num(e) => write!(f, "num: {e}"),
            E::Other => f.write_str("other"),
        }
    }
}
impl Error for E {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            E::Io(e) => Some(e),
            E::Num(e) => Some(e),
            E::Other => None,
        }
    }
}
impl From<io::Error> for E {
    fn from(e: io::Error) -> E {
        E::Io(e)
    }
}
impl From<std::num::ParseIntError> for E {
    fn from(e: std::num::ParseIntError) -> E {
        E::Num(e)
    }
}
fn num(r: &mut impl BufRead) -> std::result::Result<i32, E> {
    let mut s = String::new();
    if r.read_line(&mut s)? == 0 {
        return Err(E::Other);
    }
    Ok(s.trim().parse()?)
}
trait Shape: Any {
    fn area(&self) -> f64;
    fn as_any(&self) -> &dyn Any;
}
struct Sq(f64);
impl Shape for Sq {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
fn main() {
    let mut c = Cursor::new(b"12\nx\n".to_vec());
    for _ in 0..3 {
        match num(&mut c) {
            Ok(n) => println!("{n}"),
            Err(e) => println!("{e} / {:?} {:?}", e.source().map(|s| s.to_string()), (&e as &dyn Error).is::<E>()),
        }
    }
    let b: Box<dyn Error + Send + Sync> = "plain".into();
    println!("{b} {b:?}");
    println!("{:?}", b.downcast::<E>().is_err());
    let mut w = Vec::new();
    write!(&mut w, "{}-{:02x}", 1, 171).unwrap();
    w.write_all(&[0, 255]).unwrap();
    println!("{w:?}");
    let mut c = Cursor::new(vec![1u8, 2, 3, 4, 5, 6]);
    c.seek(SeekFrom::End(-2)).unwrap();
    let mut buf = [0; 4];
    println!("{:?} {buf:?} {:?}", c.read(&mut buf), c.read_exact(&mut buf).map_err(|e| e.kind()));
    c.set_position(1);
    println!("{:?} {}", Read::by_ref(&mut c).take(2).bytes().map(|b| b.unwrap()).collect::<Vec<_>>(), c.position());
    println!(
        "{:?} {:?}",
        BufReader::with_capacity(2, &b"a,b,,c"[..]).split(b',').map(|r| r.unwrap().len()).collect::<Vec<_>>(),
        "x\ny".as_bytes().lines().map(|l| l.unwrap()).collect::<Vec<_>>()
    );
    let mut o = Vec::new();
    {
        let mut bw = BufWriter::new(&mut o);
        bw.write(b"abc").unwrap();
        println!("{:?}", bw.buffer());
    }
    println!("{o:?} {:?}", io::copy(&mut repeat(7).take(3), &mut o));
    println!("{:?} {:?}", o, (&b"ab"[..]).chain(&b"cd"[..]).read_to_string_());
    println!(
        "{:?} {:?} {:?}",
        "127.0.0.1:80".parse::<SocketAddr>(),
        "::ffff:1.2.3.4".parse::<Ipv6Addr>().map(|a| a.to_ipv4_mapped()),
        "1.2.3".parse::<Ipv4Addr>().map_err(|e| e.to_string())
    );
    println!(
        "{} {:?} {}",
        Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 1, 0, 0, 1),
        Ipv4Addr::new(10, 0, 0, 1).is_private(),
        SocketAddrV6::new(Ipv6Addr::LOCALHOST, 5, 0, 0)
    );
    let p = Path::new("/a/./b/../c.tar.gz");
    println!(
        "{:?} {:?} {:?} {:?} {:?}",
        p.components().collect::<Vec<_>>().len(),
        p.file_stem(),
        p.extension(),
        p.with_extension("x"),
        p.strip_prefix("/a").unwrap().display().to_string()
    );
    let mut q = PathBuf::from("x");
    q.push("y");
    q.set_file_name("z");
    q.push("/abs");
    println!("{q:?} {:?} {:?}", p.ancestors().nth(2), p.starts_with("/a/b"));
    println!(
        "{:?} {:?} {:?} {:?}",
        Duration::from_millis(1501),
        Duration::from_secs_f64(2.7),
        Duration::new(1, 5).checked_sub(Duration::from_secs(2)),
        Duration::from_micros(1) * 3 / 2
    );
    let s: Box<dyn Shape> = Box::new(Sq(2.0));
    println!(
        "{} {:?} {}",
        s.area(),
        s.as_any().downcast_ref::<Sq>().map(|q| q.0),
        type_name::<Vec<Option<&'static str>>>()
    );
    let a: Box<dyn Any> = Box::new(5u8);
    println!("{:?} {:?}", a.is::<u8>(), a.downcast::<i8>().is_err());
    println!(
        "{:?} {:?} {:?}",
        Layout::new::<(u8, u32, u16)>(),
        Layout::array::<u16>(3),
        Layout::from_size_align(8, 3).is_err()
    );
    println!("{:?} {:?}", CString::new("a\0b").map_err(|e| e.nul_position()), CStr::from_bytes_with_nul(b"hi\0"));
    println!("{:?} {:?}", OsString::from("é").into_string(), c"lit".to_bytes_with_nul());
    println!("{:?} {:?}", io::Error::other("boom"), io::Error::from(ErrorKind::NotFound));
    println!("{:?} {}", io::Error::from_raw_os_error(2), io::Error::from_raw_os_error(13));
    println!("{:?}", std::mem::size_of_val("héé") + std::mem::size_of_val(&[1u16; 3][..]));
    std::process::exit(match std::env::args().len() {
        1 => 7,
        _ => 8,
    });
}
trait Rs: Read + Sized {
    fn read_to_string_(mut self) -> io::Result<String> {
        let mut s = String::new();
        self.read_to_string(&mut s)?;
        Ok(s)
    }
}
impl<R: Read> Rs for R {}
