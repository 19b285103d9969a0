use std::collections::*;
use std::fmt::{self, Write as _, Write};
#[derive(Debug, Clone, Default)]
struct P {
    x: i32,
    name: String,
    t: (u8, Option<char>),
    u: (),
}
#[derive(Debug)]
enum E {
    A,
    B(i32, P),
    C { k: Vec<u8> },
}
#[derive(Debug)]
struct U;
#[derive(Debug)]
struct N(f32);
struct Hex(u32);
impl fmt::LowerHex for Hex {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}
impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if f.alternate() {
            write!(f, "alt ")?;
        }
        match (f.width(), f.precision(), f.fill(), f.sign_plus()) {
            t => write!(f, "{t:?}"),
        }
    }
}
struct Pad(&'static str);
impl fmt::Display for Pad {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.0)
    }
}
struct L(Vec<i32>);
impl fmt::Debug for L {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|x| x * 2)).finish_non_exhaustive()
    }
}
struct M;
impl fmt::Debug for M {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_map().entry(&"k", &1).key(&2).value(&U).finish()?;
        f.debug_struct("Q").field("a", &format_args!("{}", 3)).finish_non_exhaustive()?;
        f.debug_set().entry(&1).finish()?;
        f.debug_tuple("T").field(&"x").field(&N(1.5)).finish()
    }
}
fn main() {
    let (w, p) = (10, 3);
    println!("[{:1$}] [{:.*}] [{:>1$.2$}] [{:w$.p$}] [{:^+w$.2e}]", 5, 7, 2, 3.14159, 2.71828, 1234.5);
    println!("[{0:>1$}] [{0:<1$}] [{0:^1$}] [{0:*^1$}] [{0:#>1$}]", "ab", 6);
    println!(
        "[{:.0}] [{:.1}] [{:e}] [{:E}] [{:?}] [{:?}] [{}]",
        2.5,
        0.25,
        1500.0,
        0.00012,
        1e21,
        1e-7,
        f64::MAX
    );
    println!(
        "[{:5}] [{:<5}] [{:^5}] [{:05}] [{:+}] [{:#x}] [{:#010b}] [{:#o}] [{:X}]",
        42, 42, 42, -42, 42, 255, 5, 8, 48879
    );
    println!("{:?} {:?} {:?} {:?}", "q\"\n\t\u{7f}\u{1F600}é\0", '\'', '"', "it's");
    println!("{:5}|{:<5}|{:>5}|{:?}", 'c', true, "é", ((), 1,));

    let p1 = P { x: -1, name: "n\n".into(), t: (1, Some('z')), u: () };
    println!("{p1:?}\n{p1:#?}\n{:?} {:#?}", E::A, E::B(2, P::default()));
    println!("{:#x?} {:02X?} {:#?}", vec![10, 255], [1u8, 171], E::C { k: vec![1, 2] });
    println!("{:?} {:#?} {:?} {:?}", L(vec![1, 2]), M, M, (U, N(0.1)));
    println!("{:x} {:#06x} {} {:#} {:+8.3} {:~<5}", Hex(255), Hex(255), Hex(1), Hex(1), Hex(1), Hex(1));
    println!("[{:>6}] [{:.2}] [{:^6.1}] [{}]", Pad("abc"), Pad("abc"), Pad("abc"), Pad("abc"));
    let m: BTreeMap<&str, BTreeMap<i32, Vec<Option<&str>>>> =
        [("a", [(1, vec![Some("x"), None])].into()), ("b", BTreeMap::new())].into();
    println!("{m:?}\n{m:#?}");
    println!(
        "{:?} {:?} {:?} {:?}",
        HashMap::from([(1, "a")]),
        HashSet::from(['x']),
        VecDeque::from([1]),
        BTreeSet::from([(1, 2)])
    );
    println!(
        "{:?} {:?} {:?} {:?} {:?}",
        Some(Ok::<i32, ()>(1)),
        Box::new([1]),
        std::rc::Rc::new(std::cell::RefCell::new(3)),
        std::cell::Cell::new(1),
        1..=3
    );
    println!("{:8.3?}|{:<8?}|{:08.2?}|{:+?}", 1.5, Some(1), -1.0, [1, 2]);
    let mut s = String::new();
    write!(s, "{:>4}", 1).unwrap();
    writeln!(s, "{}", 'x').unwrap();
    s.write_char('y').unwrap();
    println!("{s:?}");
    println!("{}", format_args!("{} {}", 1, format!("{:?}", "a")));
    println!("{{}} {{{}}} {0} {0:?} {name}", "z", name = 1 + 1);
    println!(
        "{:?} {} {}",
        "tab\there".escape_debug().to_string(),
        "é\n".escape_unicode(),
        '\n'.escape_default()
    );
    println!("{} {:?} {:?}", "ß".to_uppercase(), 'İ'.to_lowercase().collect::<Vec<_>>(), "ΑΣ".to_lowercase());
    println!("{} {} {} {}", i128::MIN, u128::MAX, i64::MIN, u8::MAX);
    println!("{:x} {:#b} {:o}", i8::MIN, -1i8, u128::MAX);
    println!(
        "{:?} {:?} {:?} {:?} {:?}",
        "12".parse::<u8>(),
        "-1".parse::<u8>(),
        "300".parse::<u8>(),
        "".parse::<i32>(),
        "1.5e3".parse::<f64>()
    );
    println!(
        "{:?} {:?} {:?} {:?}",
        "x".parse::<f32>(),
        "true".parse::<bool>(),
        "T".parse::<bool>(),
        "ab".parse::<char>()
    );
    println!(
        "{:?} {:?} {:?}",
        u8::from_str_radix("ff", 16),
        i32::from_str_radix("-zz", 36),
        "nan".parse::<f64>().map(|x| x.is_nan())
    );
    println!("{} {} {} {} {}", 0.1 + 0.2, 1.0, 1e15, 1e16, f32::MIN_POSITIVE);
    println!("{} {} {:?} {:?} {}", f64::NAN, -f64::INFINITY, -0.0, 0.1f32, 100000000.0f32);
    println!("{:p}", std::ptr::null::<u8>());
    println!("{:?} {:?}", std::time::Duration::from_millis(1500), std::time::Duration::from_nanos(1_000_001));
    println!("{:?}", "a=1;b=2".split(';').map(|kv| kv.split_once('=').unwrap()).collect::<Vec<_>>());
    println!("{:?} {:?}", std::str::from_utf8(&[0xff, 0x41]), String::from_utf8_lossy(&[b'a', 0xff, b'b']));
    println!("{:?} {:?} {:?}", std::any::type_name::<i32>(), Some(1).cmp(&None), 1.partial_cmp(&2));
    eprintln!("{:>width$}|{:prec$}", 1, 2.0, width = 4, prec = 1);
    assert_eq!(format!("{:-^30}", "x").len(), 30);
    let v: Result<u8, Box<dyn std::error::Error>> = "z".parse::<u8>().map_err(|e| e.into());
    println!("{v:?} {}", v.as_ref().unwrap_err());
    let e: Box<dyn std::error::Error + Send + Sync> = "plain".into();
    println!("{e:?} {e}");
}
