use std::borrow::Cow;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

static COUNTER: AtomicU32 = AtomicU32::new(1);
static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static mut RAW: [i32; 3] = [1, 2, 3];
static GREETING: &str = "hi";
static TABLE: [(&str, fn(i32) -> i32); 2] = [("inc", inc), ("neg", |x| -x)];
const LIMITS: [u8; 3] = [1, 2, 3];
const CELL: Cell<i32> = Cell::new(5);

thread_local!(static LOCAL: RefCell<Vec<i32>> = const { RefCell::new(vec![]) });

struct Global(UnsafeCell<u64>);
unsafe impl Sync for Global {}
static G: Global = Global(UnsafeCell::new(10));

fn inc(x: i32) -> i32 {
    x + 1
}

fn next_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(100);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
fn other_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(200);
    NEXT.fetch_add(2, Ordering::Relaxed)
}

fn abs_all(v: &mut Cow<[i32]>) {
    for i in 0..v.len() {
        if v[i] < 0 {
            v.to_mut()[i] = -v[i];
        }
    }
}
fn kind<T: ToOwned + ?Sized>(c: &Cow<T>) -> &'static str {
    match c {
        Cow::Borrowed(_) => "borrowed",
        Cow::Owned(_) => "owned",
    }
}

fn main() {
    let s = [0, 1, 2];
    let mut c = Cow::from(&s[..]);
    abs_all(&mut c);
    println!("{} {:?}", kind(&c), c);
    let mut c = Cow::from(vec![1, -1]);
    abs_all(&mut c);
    println!("{} {:?}", kind(&c), c.into_owned());
    let mut c = Cow::Borrowed(&[-5, 5][..]);
    abs_all(&mut c);
    println!("{} {:?}", kind(&c), c);
    let mut t: Cow<str> = "text".into();
    t += " more";
    println!("{t} {} {}", kind(&t), t == "text more");
    println!("{}", (Cow::from("a") + "b").len());
    COUNTER.fetch_add(4, Ordering::SeqCst);
    NAMES.lock().unwrap().push("n1".into());
    NAMES.lock().unwrap().push(format!("n{}", COUNTER.load(Ordering::SeqCst)));
    println!("{:?}", NAMES.lock().unwrap());
    unsafe {
        RAW[1] += 40;
        let r = &raw mut RAW;
        (*r)[2] = RAW[0] + RAW[1];
        println!("{:?}", *r);
        *G.0.get() += 5;
        println!("{}", *G.0.get());
    }
    println!("{} {} {} {}", next_id(), other_id(), next_id(), other_id());
    println!("{:?}", TABLE.iter().map(|(n, f)| format!("{n}:{}", f(4))).collect::<Vec<_>>());
    CELL.set(9);
    println!("{} {}", CELL.get(), { let c = CELL; c.set(7); c.get() });
    let mut l = LIMITS;
    l[0] = 100;
    println!("{:?} {:?} {}", l, LIMITS, GREETING);
    LOCAL.with_borrow_mut(|v| v.push(1));
    std::thread::spawn(|| LOCAL.with_borrow_mut(|v| { v.push(2); println!("{v:?}") })).join().unwrap();
    LOCAL.with_borrow(|v| println!("{v:?}"));
    println!("{:?}", LOCAL.take());
}
