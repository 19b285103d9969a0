use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::*;
use std::panic::*;
use std::sync::*;
use std::thread;
struct Log(RefCell<Vec<String>>);
thread_local!(static L: Log = Log(RefCell::new(vec![])));
fn log(s: impl Into<String>) {
    L.with(|l| l.0.borrow_mut().push(s.into()))
}
fn flush() {
    L.with(|l| println!("{}", l.0.take().join(",")))
}
struct T(&'static str);
impl Drop for T {
    fn drop(&mut self) {
        log(format!("~{}", self.0))
    }
}
impl Add<&T> for T {
    type Output = T;
    fn add(self, o: &T) -> T {
        log(format!("{}+{}", self.0, o.0));
        T("sum")
    }
}
impl AddAssign<T> for T {
    fn add_assign(&mut self, o: T) {
        log(format!("{}+={}", self.0, o.0))
    }
}
impl Index<T> for T {
    type Output = str;
    fn index(&self, i: T) -> &str {
        log(format!("[{}]", i.0));
        self.0
    }
}
impl PartialEq<&str> for T {
    fn eq(&self, o: &&str) -> bool {
        log("eq");
        self.0 == *o
    }
}
impl PartialOrd<&str> for T {
    fn partial_cmp(&self, o: &&str) -> Option<std::cmp::Ordering> {
        log("pc");
        self.0.partial_cmp(*o)
    }
}
fn mk(s: &'static str) -> T {
    log(s);
    T(s)
}
struct Meters<T>(f64, PhantomData<T>);
struct Km;
struct Mi;
trait Unit {
    const F: f64;
    const N: &'static str;
}
impl Unit for Km {
    const F: f64 = 1000.0;
    const N: &'static str = "km";
}
impl Unit for Mi {
    const F: f64 = 1609.34;
    const N: &'static str = "mi";
}
impl<T: Unit> Meters<T> {
    fn to<U: Unit>(self) -> Meters<U> {
        Meters(self.0 * T::F / U::F, PhantomData)
    }
    fn show(&self) -> String {
        format!("{:.2}{}", self.0, T::N)
    }
}
struct Stack<T, const N: usize> {
    d: [Option<T>; N],
    n: usize,
}
impl<T, const N: usize> Stack<T, N> {
    const fn new() -> Self {
        Stack { d: [const { None }; N], n: 0 }
    }
    fn push(&mut self, t: T) -> Result<(), T> {
        if self.n == N {
            Err(t)
        } else {
            self.d[self.n] = Some(t);
            self.n += 1;
            Ok(())
        }
    }
    fn pop(&mut self) -> Option<T> {
        self.n = self.n.checked_sub(1)?;
        self.d[self.n].take()
    }
}
impl<T, const N: usize> Deref for Stack<T, N> {
    type Target = [Option<T>];
    fn deref(&self) -> &[Option<T>] {
        &self.d[..self.n]
    }
}
fn transpose<const R: usize, const C: usize>(m: [[i32; C]; R]) -> [[i32; R]; C] {
    std::array::from_fn(|c| std::array::from_fn(|r| m[r][c]))
}
trait State {
    fn next(self: Box<Self>, c: char) -> Box<dyn State>;
    fn name(&self) -> &'static str;
}
struct A;
struct B(u32);
impl State for A {
    fn next(self: Box<Self>, c: char) -> Box<dyn State> {
        if c == 'b' { Box::new(B(1)) } else { self }
    }
    fn name(&self) -> &'static str {
        "A"
    }
}
impl State for B {
    fn next(self: Box<Self>, c: char) -> Box<dyn State> {
        if c == 'a' { Box::new(A) } else { Box::new(B(self.0 + 1)) }
    }
    fn name(&self) -> &'static str {
        if self.0 > 1 { "B+" } else { "B" }
    }
}
trait Visitor {
    type Out;
    fn num(&mut self, n: f64) -> Self::Out;
    fn bin(&mut self, op: char, l: Self::Out, r: Self::Out) -> Self::Out;
}
enum Ex {
    N(f64),
    B(char, Box<Ex>, Box<Ex>),
}
impl Ex {
    fn acc<V: Visitor + ?Sized>(&self, v: &mut V) -> V::Out {
        match self {
            Ex::N(n) => v.num(*n),
            Ex::B(o, l, r) => {
                let l = l.acc(v);
                let r = r.acc(v);
                v.bin(*o, l, r)
            }
        }
    }
}
struct Eval;
struct Show(usize);
impl Visitor for Eval {
    type Out = Result<f64, String>;
    fn num(&mut self, n: f64) -> Self::Out {
        Ok(n)
    }
    fn bin(&mut self, o: char, l: Self::Out, r: Self::Out) -> Self::Out {
        let (l, r) = (l?, r?);
        Ok(match o {
            '+' => l + r,
            '*' => l * r,
            '/' if r == 0.0 => return Err("div".into()),
            '/' => l / r,
            _ => return Err(format!("op {o}")),
        })
    }
}
impl Visitor for Show {
    type Out = String;
    fn num(&mut self, n: f64) -> String {
        self.0 += 1;
        n.to_string()
    }
    fn bin(&mut self, o: char, l: String, r: String) -> String {
        format!("({l} {o} {r})")
    }
}
fn parse(s: &mut std::iter::Peekable<std::str::Chars>, min: u8) -> Ex {
    let mut l = if s.next_if_eq(&'(').is_some() {
        let e = parse(s, 0);
        s.next();
        e
    } else {
        let mut n = String::new();
        while let Some(c) = s.next_if(|c| c.is_ascii_digit() || *c == '.') {
            n.push(c)
        }
        Ex::N(n.parse().unwrap())
    };
    while let Some(&o) = s.peek() {
        let p = match o {
            '+' | '-' => 1,
            '*' | '/' => 2,
            _ => break,
        };
        if p < min {
            break;
        }
        s.next();
        l = Ex::B(o, Box::new(l), Box::new(parse(s, p + 1)))
    }
    l
}
union U {
    a: u64,
    b: [u16; 4],
}
fn div(a: i32, b: i32) -> i32 {
    a / b
}
fn main() {
    {
        let mut a = mk("a");
        a += mk("x") + &mk("y");
        let n = a[mk("i")].len();
        log(n.to_string());
    }
    flush();
    {
        let b = mk("b") == "b" && mk("c") < "d" || mk("never") >= "z";
        log(b.to_string());
    }
    flush();
    {
        let v = [mk("0"), mk("1"), mk("2")];
        let [p, .., q] = v;
        log("mid");
        drop(q);
        let _ = p;
    }
    flush();
    {
        let t = (mk("p"), mk("q"));
        let (_, ref r) = t;
        log(r.0);
        let c = move || t.1.0;
        log(c());
    }
    flush();
    {
        let x;
        let y = mk("y");
        x = mk("x");
        let _z = [y, x];
        let _ = mk("u");
        let _k = mk("k");
    }
    flush();
    {
        let f = |t: T| -> Option<T> {
            if t.0 == "n" {
                None?
            }
            Some(t)
        };
        f(mk("n"));
        f(mk("s"));
        match f(mk("m")) {
            Some(T("z")) => {}
            Some(ref t) if t.0 == "m" => log("got"),
            _ => {}
        }
    }
    flush();
    println!(
        "{} {}",
        Meters::<Km>(5.0, PhantomData).to::<Mi>().show(),
        Meters::<Mi>(1.0, PhantomData).to::<Km>().show()
    );
    let mut s = Stack::<_, 2>::new();
    println!(
        "{:?} {:?} {:?} {:?} {} {:?}",
        s.push("a".to_string()),
        s.push("b".into()),
        s.push("c".into()),
        s.pop(),
        s.len(),
        s.first()
    );
    println!("{:?}", transpose([[1, 2, 3], [4, 5, 6]]));
    let mut st: Box<dyn State> = Box::new(A);
    for c in "abba".chars() {
        st = st.next(c);
        print!("{} ", st.name())
    }
    println!();
    for e in ["1+2*3", "(1+2)*3/4", "1/0+2", "5-1"] {
        let x = parse(&mut e.chars().peekable(), 0);
        let mut sh = Show(0);
        println!("{} {:?} {}", x.acc(&mut sh), x.acc(&mut Eval), sh.0)
    }
    let dv: &mut dyn Visitor<Out = String> = &mut Show(0);
    println!("{}", Ex::N(1.5).acc(dv));
    let u = U { a: 0x0004_0003_0002_0001 };
    println!("{:?}", unsafe { u.b });
    let r = catch_unwind(|| {
        let _g = mk("g");
        let v: Vec<T> = (0..3)
            .map(|i| {
                if i == 2 {
                    panic!("at {i}")
                }
                mk(["v0", "v1"][i])
            })
            .collect();
        v.len()
    });
    println!("{:?}", r.unwrap_err().downcast_ref::<String>());
    flush();
    for (a, b) in [(1, 0), (i32::MIN, -1), (7, 2)] {
        println!(
            "{:?}",
            catch_unwind(|| div(a, b)).map_err(|e| e
                .downcast_ref::<&str>()
                .map(|s| s.to_string())
                .or(e.downcast_ref::<String>().cloned()))
        )
    }
    let b = std::hint::black_box(200u8);
    for f in [|x: u8| x + 100, |x| x * 2, |x| x << (x / 10), |x| x - 201] {
        println!("{}", catch_unwind(AssertUnwindSafe(|| f(b))).is_err())
    }
    let m = Arc::new((Mutex::new(0), Condvar::new()));
    let hs: Vec<_> = (0..3)
        .map(|i| {
            let m = m.clone();
            thread::spawn(move || {
                let (l, c) = &*m;
                let mut g = c.wait_while(l.lock().unwrap(), |n| *n != i).unwrap();
                *g += 1;
                c.notify_all();
                i * 10
            })
        })
        .collect();
    println!("{:?} {}", hs.into_iter().map(|h| h.join().unwrap()).collect::<Vec<_>>(), m.0.lock().unwrap());
    let mut arr = [1, 2, 3, 4];
    thread::scope(|s| {
        let (a, b) = arr.split_at_mut(2);
        s.spawn(|| a.iter_mut().for_each(|x| *x *= 10));
        s.spawn(|| b.reverse());
    });
    println!("{arr:?}");
    let (tx, rx) = mpsc::channel();
    for i in 0..2 {
        let tx = tx.clone();
        thread::spawn(move || {
            for j in 0..2 {
                tx.send((i, j)).unwrap()
            }
        });
    }
    drop(tx);
    let mut got: Vec<_> = rx.iter().collect();
    got.sort();
    println!("{got:?}");
}
