//@ edition: 2021
// Captures, their drops, names in scopes, coercions.
mod a {
    pub mod b {
        pub trait Ext {
            fn ext(&self) -> String {
                "ext".into()
            }
        }
        impl<T: std::fmt::Debug> Ext for T {}
        pub(in crate::a) fn hid() -> u8 {
            1
        }
        pub(super) const K: u8 = 2;
        pub struct S {
            pub x: i32,
            y: i32,
        }
        impl S {
            pub const fn new(x: i32) -> S {
                S { x, y: x * 2 }
            }
            pub fn y(&self) -> i32 {
                self.y
            }
        }
        pub use self::inner::Deep as Renamed;
        mod inner {
            #[derive(Debug, Default)]
            pub struct Deep(pub(crate) u8);
        }
        #[derive(Debug, Clone, Copy)]
        pub enum Col {
            R,
            G(u8),
        }
        pub use Col::*;
    }
    pub fn f() -> u8 {
        b::hid() + b::K
    }
    pub use b::S;
    pub mod prelude {
        pub use super::b::{self, Col, Ext as _};
    }
    pub fn max(a: i32, _: i32) -> i32 {
        a
    }
    pub static X: i32 = 1;
    macro_rules! mm {
        () => {
            super::lib()
        };
    }
    pub(crate) use mm;
}
fn lib() -> &'static str {
    "lib"
}
use a::prelude::*;
use a::{b::*, max};
use std::cmp::*;
mod sub {
    pub fn go() -> &'static str {
        use super::a::mm;
        mm!()
    }
    pub fn min() -> i32 {
        3
    }
    pub type Int = i64;
    pub trait Def {
        const Z: Int = 5;
        fn d() -> Self
        where
            Self: Sized;
    }
    impl Def for Int {
        fn d() -> Int {
            Self::Z
        }
    }
}
use sub::Def as _;
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        print!("-{} ", self.0)
    }
}
struct T3 {
    a: D,
    b: (D, String),
    c: Vec<i32>,
}
fn mk(n: i32) -> impl Fn(i32) -> Box<dyn Fn(i32) -> i32> {
    move |x| Box::new(move |y| x * y + n)
}
fn comp<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}
fn call<F: FnOnce() -> R, R>(f: F) -> R {
    f()
}
fn twice(f: &mut dyn FnMut() -> i32) -> i32 {
    f() + f()
}
fn fix<A: Copy, R>(f: &dyn Fn(&dyn Fn(A) -> R, A) -> R, a: A) -> R {
    f(&|x| fix(f, x), a)
}
struct Btn<'a> {
    h: Vec<Box<dyn FnMut(&str) -> bool + 'a>>,
}
impl<'a> Btn<'a> {
    fn on(&mut self, f: impl FnMut(&str) -> bool + 'a) -> &mut Self {
        self.h.push(Box::new(f));
        self
    }
    fn fire(&mut self, s: &str) -> usize {
        self.h.iter_mut().filter_map(|h| h(s).then_some(())).count()
    }
}
fn never(b: bool) -> i32 {
    let x: u8 = if b { return 1 } else { 2 };
    let y = match x {
        2 => 'q: {
            if b {
                break 'q 5;
            }
            6
        }
        _ => panic!(),
    };
    #[allow(unreachable_code)]
    if y == 7 {
        let _z: u8 = return 0;
    }
    y
}
fn main() {
    println!("{} {} {:?} {} {}", a::f(), 5.ext(), Renamed::default(), S::new(4).y(), {
        let S { x, .. } = S::new(7);
        x
    });
    println!("{:?} {:?} {:?} {}", R, G(3), b::Col::G(1), max(1, 2));
    println!("{} {} {} {}", min(3, 1), sub::go(), sub::min(), <sub::Int as sub::Def>::d());
    {
        let t = T3 { a: D("a"), b: (D("b0"), "s".into()), c: vec![1] };
        let f = || {
            let _x = &t.b.1;
            t.c.len()
        };
        println!("{}", f());
        let g = move || {
            let _y = t.b.0;
        };
        print!("made ");
        g();
        print!("after ");
        let h = || drop(t.a);
        h();
        println!("{:?}", t.c);
    }
    println!();
    {
        let mut t = (D("t0"), vec![1], [1, 2]);
        let mut f = || {
            t.1.push(2);
            t.2[0] += 5;
        };
        f();
        f();
        let c = move || t.1.len();
        println!("{} {:?}", c(), t.2);
        print!("end ");
    }
    println!();
    let m = mk(1);
    println!("{} {}", m(2)(3), comp(comp(|x: i32| x + 1, |x| x * 2), |x| format!("<{x}>"))(4));
    let mut n = 0;
    println!(
        "{} {n}",
        twice(&mut || {
            n += 1;
            n * 10
        })
    );
    println!("{}", fix(&|f, n: u64| if n < 2 { 1 } else { n * f(n - 1) }, 10));
    let log = std::cell::RefCell::new(vec![]);
    let mut cnt = 0;
    {
        let mut b = Btn { h: vec![] };
        b.on(|s| {
            log.borrow_mut().push(s.len());
            true
        })
        .on(|s| {
            cnt += s.len();
            s == "ab"
        });
        println!("{} {}", b.fire("ab"), b.fire("abc"));
    }
    println!("{:?} {cnt}", log.into_inner());
    let s = String::from("own");
    let f = || s;
    println!("{}", call(f));
    let v: Vec<fn(i32) -> i32> = vec![|x| x + 1, |x| x - 1, i32::abs, std::convert::identity];
    println!(
        "{:?}",
        v.iter()
            .scan(-5, |a, f| {
                *a = f(*a);
                Some(*a)
            })
            .collect::<Vec<_>>()
    );
    let ops: [(&str, &dyn Fn(f64, f64) -> f64); 3] = [("+", &|a, b| a + b), ("pow", &f64::powf), ("max", &f64::max)];
    for (n, o) in ops {
        print!("{n}{} ", o(2., 3.));
    }
    println!();
    println!("{} {}", never(true), never(false));
    let x = 5;
    let x = {
        let x = x * 2;
        {
            let x = "sh";
            print!("{x} ");
        }
        x + 1
    };
    let y = x;
    let x = |x: i32| x + y;
    println!("{}", x(1));
    fn x2() -> i32 {
        fn x() -> i32 {
            9
        }
        x()
    }
    println!("{}", x2());
    let i = 300;
    let j = i as u8;
    let k = -1i8 as u32 as i64;
    let l = 3.99f32 as u8 + (-5.5f64) as u8 + f32::NAN as u8;
    println!("{j} {k} {l} {} {} {}", 'a' as u8 as char, true as i32 + 1, u64::MAX as f32);
    println!("{:?} {} {}", [1, 2, 3].iter().map(|x| x * 2).sum::<i32>(), 7 / -2, -7 % 3);
    println!("{} {} {}", i32::MAX.wrapping_add(1), (-7i32).div_euclid(2), (1u64 << 40) as i32);
    let r: &dyn std::fmt::Debug = &[1u8; 2];
    let sl: &[u8] = &[3; 3];
    let bs: Box<[u8]> = Box::new([1, 2]);
    let fp: unsafe fn() = {
        fn q() {}
        q
    };
    unsafe { fp() };
    println!("{r:?} {sl:?} {bs:?}");
    let mut fns: Vec<Box<dyn FnOnce() -> String>> = vec![];
    for i in 0..3 {
        let d = i.to_string();
        fns.push(Box::new(move || d + "!"));
    }
    println!("{:?}", fns.into_iter().rev().map(|f| f()).collect::<Vec<_>>());
    let mut it = (1..).map(|x| x * x).filter(|x| x % 2 == 1);
    println!("{:?}", it.by_ref().take(3).collect::<Vec<u32>>());
    println!("{:?}", it.next());
    let r = (|| -> Result<i32, std::num::ParseIntError> {
        let a: i32 = "4".parse()?;
        let b = "x".parse::<i32>()?;
        Ok(a + b)
    })();
    println!("{r:?}");
    let o = (|| {
        let a = Some(3)?;
        (a > 2).then(|| a * 2)
    })();
    println!("{o:?}");
    println!("{}", std::mem::size_of_val(&|| x(1)) > 0);
    let c = {
        let a = D("ca");
        let b = D("cb");
        move |q: bool| {
            if q {
                let _ = &b;
            }
            let _ = &a;
        }
    };
    c(true);
    let d = c;
    print!("moved ");
    drop(d);
    println!();
    let (mut p, mut q) = (vec![1], vec![2]);
    let mut sw = || std::mem::swap(&mut p, &mut q);
    sw();
    println!("{p:?} {q:?}");
    let arr = [String::from("a"), String::from("b")];
    let [ref u, _] = arr;
    let cl = || u.len() + arr[1].len();
    println!("{}", cl());
    let w = std::rc::Rc::new(5);
    let cw = {
        let w = std::rc::Rc::clone(&w);
        move || *w
    };
    println!("{} {}", cw(), std::rc::Rc::strong_count(&w));
    drop(cw);
    println!("{}", std::rc::Rc::strong_count(&w));
}
