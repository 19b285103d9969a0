// Readers and writers, addresses, durations, paths, C strings, hashes and parsers.
use std::collections::hash_map::DefaultHasher;
use std::ffi::*;
use std::hash::*;
use std::io::*;
use std::net::*;
use std::num::*;
use std::path::*;
use std::str::FromStr;
use std::time::Duration;
fn h<T: Hash + ?Sized>(t: &T) -> u64 {
    let mut s = DefaultHasher::new();
    t.hash(&mut s);
    s.finish()
}
#[derive(Hash)]
struct A {
    a: u8,
    b: &'static str,
    c: Option<(i128, char)>,
}
#[derive(Hash)]
enum B {
    X,
    Y(u8),
    Z { q: Vec<u16> },
}
struct Fnv(u64);
impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, b: &[u8]) {
        println!("w{b:?}");
        for x in b {
            self.0 = (self.0 ^ *x as u64).wrapping_mul(0x100000001b3)
        }
    }
    fn write_u8(&mut self, i: u8) {
        println!("u8 {i}");
    }
    fn write_usize(&mut self, i: usize) {
        println!("usize {i}");
        self.0 ^= i as u64
    }
}
struct Slow(Vec<u8>, usize);
impl Read for Slow {
    fn read(&mut self, b: &mut [u8]) -> Result<usize> {
        self.1 += 1;
        if self.1 % 3 == 0 {
            return Err(ErrorKind::Interrupted.into());
        }
        let n = b.len().min(2).min(self.0.len());
        for x in &mut b[..n] {
            *x = self.0.remove(0)
        }
        Ok(n)
    }
}
fn main() {
    println!(
        "{:x} {:x} {:x} {:x} {:x}",
        h("abc"),
        h(&1u8),
        h(&[1u8, 2][..]),
        h(&(1, 'a', true, ())),
        h(&A { a: 1, b: "x", c: Some((-1, 'z')) })
    );
    println!("{:x} {:x} {:x} {:x}", h(&B::X), h(&B::Y(3)), h(&B::Z { q: vec![1, 2] }), h(&[1u16; 20][..]));
    let mut f = Fnv(1);
    ("ab", 3u8, [1u16, 2], vec![1u8], Some(5i64), -1i8, 'c', false).hash(&mut f);
    println!("{}", f.finish());
    println!("{}", BuildHasherDefault::<DefaultHasher>::default().hash_one("q") == h("q"));
    let mut c = Cursor::new(b"line1\nline2\r\n\nlast".to_vec());
    let mut s = String::new();
    println!("{:?} {s:?}", c.read_line(&mut s));
    println!("{:?}", Read::by_ref(&mut c).lines().map(|l| l.unwrap()).collect::<Vec<_>>());
    println!("{:?} {}", c.seek(SeekFrom::End(-4)), c.position());
    println!("{:?} {:?}", c.seek(SeekFrom::Current(-100)).map_err(|e| (e.kind(), e.to_string())), c.stream_position());
    let mut b = [0; 10];
    println!("{:?} {:?}", c.read(&mut b), &b[..4]);
    println!("{:?}", c.read_exact(&mut b).map_err(|e| (e.kind(), e.to_string())));
    c.set_position(5);
    c.write_all(b"XYZ").unwrap();
    println!("{:?}", String::from_utf8_lossy(c.get_ref()));
    let mut o = String::new();
    println!("{:?} {o}", (&b"abc"[..]).chain(&b"def"[..]).take(5).read_to_string(&mut o));
    let mut v = vec![];
    println!("{:?} {v:?}", Slow((1..=9).collect(), 0).read_to_end(&mut v));
    println!(
        "{:?}",
        BufReader::with_capacity(3, Slow(b"a,b,,c".to_vec(), 0))
            .split(b',')
            .map(|x| x.map(|x| x.len()).map_err(|e| e.kind()))
            .collect::<Vec<_>>()
    );
    println!("{:?}", (&[0xff, 0xfe][..]).read_to_string(&mut o).map_err(|e| (e.kind(), e.to_string())));
    let mut bw = BufWriter::with_capacity(4, vec![]);
    write!(bw, "{}-{:?}", 12, "z").unwrap();
    println!("{:?} {:?}", bw.buffer(), bw.get_ref());
    println!("{:?}", bw.into_inner().unwrap());
    let mut lw = LineWriter::new(vec![]);
    lw.write_all(b"a\nb").unwrap();
    println!("{:?}", lw.get_ref());
    let mut sl = &mut [0u8; 3][..];
    println!("{:?} {:?}", sl.write(b"abcd"), sl.write_all(b"x").map_err(|e| e.to_string()));
    println!("{:?} {:?}", copy(&mut &b"hello"[..], &mut sink()), empty().read(&mut b));
    println!("{:?}", repeat(7).take(3).bytes().map(|x| x.unwrap()).collect::<Vec<_>>());
    let e = Error::new(ErrorKind::Other, "inner");
    println!("{e} {e:?} {:?} {:?}", e.get_ref().map(|x| x.to_string()), Error::from_raw_os_error(2));
    println!("{}", Error::from(ErrorKind::NotFound));
    let mut rd = &b"k=v;w"[..];
    let mut buf = vec![];
    println!("{:?} {buf:?} {:?} {}", rd.read_until(b'=', &mut buf), rd.skip_until(b';'), rd.len());
    for a in [
        "127.0.0.1",
        "1.2.3",
        "01.2.3.4",
        "256.1.1.1",
        "::1",
        "2001:db8::8:800:200c:417a",
        "::ffff:1.2.3.4",
        "1:2:3:4:5:6:7:8:9",
        "fe80::1%3",
        "::",
        "1::2::3",
    ] {
        print!(
            "{:?} ",
            IpAddr::from_str(a).map(|i| (i.to_string(), i.is_loopback(), i.is_ipv6())).map_err(|e| e.to_string())
        )
    }
    println!();
    for a in ["1.2.3.4:80", "[::1]:8080", "[fe80::1%7]:1", "1.2.3.4", "1.2.3.4:99999", "[::1]"] {
        print!("{:?} ", a.parse::<SocketAddr>().map_err(|e| e.to_string()))
    }
    println!();
    let v6 = Ipv6Addr::new(0x2001, 0, 0, 1, 0, 0, 0, 1);
    println!(
        "{v6} {v6:?} {:?} {:>20}| {:?} {:?}",
        v6.segments(),
        v6,
        Ipv4Addr::new(10, 1, 2, 3).to_ipv6_mapped(),
        Ipv4Addr::from(0x7f000001u32).octets()
    );
    println!("{:?} {}", Ipv4Addr::LOCALHOST < Ipv4Addr::BROADCAST, SocketAddrV6::new(v6, 1, 2, 3));
    for d in [
        Duration::ZERO,
        Duration::from_nanos(1),
        Duration::from_nanos(1500),
        Duration::from_micros(999_999),
        Duration::from_millis(2500),
        Duration::from_secs_f64(1.0 / 3.0),
        Duration::MAX,
        Duration::new(59, 999_999_999),
    ] {
        print!("{d:?} {d:.1?} {d:>12.2?}| {:?} {:?} ", d.as_secs_f32(), d.checked_mul(3))
    }
    println!();
    println!(
        "{:?} {:?} {:?} {:?}",
        Duration::from_secs(1).checked_sub(Duration::from_secs(2)),
        Duration::from_secs(5) / 3,
        Duration::try_from_secs_f64(-1.0).map_err(|e| e.to_string()),
        Duration::from_millis(1500).div_duration_f64(Duration::from_secs(1))
    );
    let p = Path::new("/a/./b/../c.tar.gz");
    println!(
        "{:?} {:?} {:?} {:?} {:?}",
        p.components().collect::<Vec<_>>(),
        p.file_stem(),
        p.extension(),
        p.parent(),
        p.with_extension("x")
    );
    println!(
        "{:?} {:?} {:?} {:?}",
        p.strip_prefix("/a"),
        p.strip_prefix("b").map_err(|e| e.to_string()),
        p.join("/q"),
        p.join("z/").display().to_string()
    );
    println!(
        "{:?} {:?}",
        p.ancestors().map(|x| x.to_str().unwrap()).collect::<Vec<_>>(),
        PathBuf::from("a//b/").iter().collect::<Vec<_>>()
    );
    let mut pb = PathBuf::from("x/.hid");
    pb.set_file_name("n.t");
    pb.push("..");
    println!("{pb:?} {:?} {} {:?}", pb.file_name(), pb.clone().pop(), Path::new("a/b") == Path::new("a//b/."));
    println!("{:?}", Path::new("a/b").cmp(Path::new("a.b")));
    let cs = CString::new("a\u{e9}b").unwrap();
    println!(
        "{cs:?} {:?} {:?} {:?}",
        cs.as_bytes_with_nul(),
        CString::new("a\0b").map_err(|e| (e.nul_position(), e.to_string())),
        CStr::from_bytes_until_nul(b"hi\0x").map(|c| c.to_str())
    );
    println!(
        "{:?} {:?} {:?}",
        c"lit".count_bytes(),
        CStr::from_bytes_with_nul(b"ab").map_err(|e| e.to_string()),
        OsString::from("os").into_string()
    );
    println!("{:?}", OsStr::new("x y").to_ascii_uppercase());
    println!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        "".parse::<i32>().map_err(|e| (e.kind().clone(), e.to_string())),
        "-".parse::<i8>().map_err(|e| e.to_string()),
        "+5".parse::<u8>(),
        "256".parse::<u8>().map_err(|e| e.kind().clone()),
        "-129".parse::<i8>().map_err(|e| e.to_string()),
        "0".parse::<NonZeroU8>().map_err(|e| e.to_string())
    );
    println!(
        "{:?} {:?} {:?} {:?}",
        u128::from_str_radix("zz", 36),
        i64::from_str_radix("-ff", 16),
        "1_0".parse::<u32>().map_err(|e| e.to_string()),
        "٣".parse::<u8>().map_err(|e| e.to_string())
    );
    for f in [
        "1e400",
        "-1e-400",
        "inf",
        "nan",
        "+.5",
        "5.",
        ".",
        "1e",
        "0x1",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623159e308",
        "9007199254740993",
        "0.1e-6",
        "infinity",
        "-NaN",
        " 1",
    ] {
        print!("{:?}|{:?} ", f.parse::<f64>().map_err(|e| e.to_string()), f.parse::<f32>().ok())
    }
    println!();
    println!(
        "{:?} {:?} {:?} {:?}",
        "True".parse::<bool>().map_err(|e| e.to_string()),
        "ab".parse::<char>().map_err(|e| e.to_string()),
        "".parse::<char>().map_err(|e| e.to_string()),
        u8::try_from(300i32).map_err(|e| e.to_string())
    );
    println!(
        "{:?} {:?}",
        char::from_u32(0xd800),
        std::str::from_utf8(b"a\xe2\x82").map_err(|e| (e.valid_up_to(), e.error_len(), e.to_string()))
    );
}
