// What panics say, where they are, and what is dropped meanwhile.
use std::any::Any;
use std::cell::*;
use std::panic::{self, *};
use std::rc::Rc;
use std::sync::*;
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, std::thread::panicking())
    }
}
fn t<R: std::fmt::Debug>(n: &str, f: impl FnOnce() -> R) {
    match panic::catch_unwind(AssertUnwindSafe(f)) {
        Ok(r) => println!("{n}: ok {r:?}"),
        Err(e) => println!("{n}: {}", msg(&e)),
    }
}
fn msg(e: &Box<dyn Any + Send>) -> String {
    e.downcast_ref::<String>()
        .map(|s| format!("String {s}"))
        .or(e.downcast_ref::<&str>().map(|s| format!("str {s}")))
        .or(e.downcast_ref::<i32>().map(|s| format!("i32 {s}")))
        .unwrap_or("other".into())
}
#[track_caller]
fn loc() -> (u32, u32) {
    let l = Location::caller();
    (l.line(), l.column())
}
#[track_caller]
fn loc2() -> (u32, u32) {
    loc()
}
fn loc3() -> (u32, u32) {
    loc()
}
struct L;
impl L {
    #[track_caller]
    fn m(&self) -> u32 {
        Location::caller().column()
    }
}
impl std::ops::Add for L {
    type Output = u32;
    #[track_caller]
    fn add(self, _: L) -> u32 {
        Location::caller().column()
    }
}
trait TT {
    #[track_caller]
    fn w(&self) -> u32;
}
impl TT for L {
    fn w(&self) -> u32 {
        Location::caller().line()
    }
}
#[derive(Debug)]
struct Er;
impl std::fmt::Display for Er {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("er!")
    }
}
impl std::error::Error for Er {}
#[inline(never)]
fn id<T>(t: T) -> T {
    std::hint::black_box(t)
}
fn main() {
    panic::set_hook(Box::new(|i| {
        println!("  hook {:?} {} {}", i.payload_as_str(), i.location().unwrap().line(), i.location().unwrap().column())
    }));
    t("add", || id(255u8) + id(1));
    t("sub", || id(0usize) - id(1));
    t("mul", || id(i64::MAX) * id(2));
    t("neg", || -id(i8::MIN));
    t("shl", || id(1u32) << id(32));
    t("shr", || id(1i128) >> id(128));
    t("div", || id(1) / id(0));
    t("rem", || id(1) % id(0));
    t("divo", || id(i32::MIN) / id(-1));
    t("remo", || id(i64::MIN) % id(-1));
    t("abs", || id(i8::MIN).abs());
    t("pow", || id(10i32).pow(10));
    t("sum", || [200u8, 100].iter().sum::<u8>());
    t("addassign", || {
        let mut x = id(127i8);
        x += 1;
        x
    });
    t("idx", || id([1, 2, 3])[id(3)]);
    t("vec", || id(vec![1])[id(5)]);
    t("sl", || id(&[1, 2, 3][..])[id(2)..id(1)].len());
    t("sl2", || id(&[1, 2, 3])[id(2)..id(9)].len());
    t("sl3", || id("añb")[id(0)..id(2)].len());
    t("sl4", || id("abc")[id(5)..].len());
    t("sl5", || id(&[1])[..=usize::MAX].len());
    t("hm", || std::collections::HashMap::from([(1, 2)])[&id(3)]);
    t("str", || id("abc").split_at(4));
    t("rmv", || vec![1].remove(3));
    t("swr", || Vec::<u8>::new().swap_remove(0));
    t("ins", || vec![1].insert(3, 1));
    t("spo", || vec![1].split_off(2));
    t("drn", || {
        vec![1].drain(1..3);
    });
    t("cfs", || [1].copy_from_slice(&[1, 2]));
    t("chk", || [1].chunks(id(0)).count());
    t("cpw", || [1, 2].copy_within(1..3, 0));
    t("sw", || [1].swap(0, 1));
    t("stb", || (0..3).step_by(id(0)).count());
    t("rot", || [1].rotate_left(2));
    t("clm", || id(1).clamp(3, 2));
    t("clf", || 1f64.clamp(f64::NAN, 1.));
    t("rep", || "ab".repeat(usize::MAX));
    t("cap", || Vec::<u64>::with_capacity(usize::MAX).len());
    t("chd", || char::from_digit(1, 40));
    t("tod", || 'a'.to_digit(40));
    t("rad", || u8::from_str_radix("1", 99));
    t("ilog", || id(0u8).ilog2());
    t("nz", || std::num::NonZeroU8::new(0).unwrap());
    t("unw", || None::<u8>.unwrap());
    t("exp", || None::<u8>.expect("msg"));
    t("une", || Ok::<u8, Er>(1).unwrap_err());
    t("uer", || Err::<u8, _>(Er).unwrap());
    t("exe", || Ok::<_, Er>("v").expect_err("want"));
    t("exr", || Err::<u8, _>("bad \"q\"").expect("ctx"));
    t("rc", || {
        let c = RefCell::new(1);
        let _a = c.borrow_mut();
        let _b = c.borrow();
    });
    t("rc2", || {
        let c = RefCell::new(1);
        let _a = c.borrow();
        c.replace(2)
    });
    t("dur", || std::time::Duration::from_secs(1) - std::time::Duration::from_secs(2));
    t("once", || {
        let c = OnceCell::new();
        c.get_or_init(|| c.set(1).map(|_| 2).unwrap()).clone()
    });
    t("poi", || {
        let m = Arc::new(Mutex::new(1));
        let n = m.clone();
        let _ = std::thread::spawn(move || {
            let _g = n.lock().unwrap();
            panic!("in")
        })
        .join();
        *m.lock().unwrap()
    });
    t("lazy", || {
        let l: LazyLock<u8> = LazyLock::new(|| panic!("init"));
        let _ = panic::catch_unwind(AssertUnwindSafe(|| *l));
        *l
    });
    t("ass", || assert!(id(1) == 2));
    t("asm", || assert!(id(false), "m {}", 1));
    t("aeq", || assert_eq!(id(1), 2));
    t("aem", || assert_eq!(id("a"), "b", "why {:?}", Er));
    t("ane", || assert_ne!(id(1.5), 1.5));
    t("mat", || {
        let x = Some(1);
        assert!(matches!(x, None), "{x:?}")
    });
    t("dbg", || debug_assert_eq!(id(1), 1, "no"));
    t("unr", || unreachable!());
    t("unr2", || unreachable!("x {}", 1));
    t("todo", || todo!());
    t("todo2", || todo!("it {:?}", 'c'));
    t("uni", || unimplemented!("u"));
    t("pan", || panic!());
    t("pan2", || {
        let a = 5;
        panic!("{a:>3}{{}}")
    });
    t("any", || panic_any(7i32));
    t("any2", || panic_any(String::from("s")));
    t("res", || resume_unwind(Box::new("silent")));
    t("expl", || std::panic::panic_any(Er));
    t("drops", || {
        let _a = D("a");
        let _v = vec![D("v0"), D("v1")];
        let _c = || D("never");
        let _b = (D("t"), id(None::<u8>).unwrap());
    });
    t("nest", || {
        struct N;
        impl Drop for N {
            fn drop(&mut self) {
                t("inner", || panic!("in drop"))
            }
        }
        let _n = N;
        panic!("outer")
    });
    t("fnonce", || {
        let d = D("moved");
        let f = move || {
            let _x = &d;
            panic!("cl")
        };
        f()
    });
    t("map", || {
        (0..3)
            .map(|i| {
                if i == 2 {
                    panic!("at {i}")
                }
                D("m")
            })
            .collect::<Vec<_>>()
            .len()
    });
    t("arr", || {
        std::array::from_fn::<_, 3, _>(|i| {
            if i == 2 {
                panic!("arr")
            }
            D("e")
        })
        .len()
    });
    t("retain", || {
        let mut v = vec![1, 2, 3, 4];
        let r = panic::catch_unwind(AssertUnwindSafe(|| {
            v.retain(|x| {
                if *x == 3 {
                    panic!("r")
                }
                *x > 1
            })
        }));
        (r.is_err(), v)
    });
    t("rcdrop", || {
        let r = Rc::new(D("rc"));
        let w = Rc::downgrade(&r);
        let _ = panic::catch_unwind(AssertUnwindSafe(move || {
            let _k = r;
            panic!("k")
        }));
        w.upgrade().is_none()
    });
    println!("{:?} {:?} {:?} {} {} {}", loc(), loc2(), loc3().0 < 20, L.m(), L + L, L.w() > 5);
    let f: fn() -> (u32, u32) = loc;
    println!("{}", f().0 > 0);
    println!("{:?}", [()].map(|_| loc().0 > 10));
    let b: Box<dyn Error2 + Send + Sync> = Er.into();
    println!("{b} {:?}", b.source().is_none());
    let h = panic::take_hook();
    drop(h);
    let old = std::thread::Builder::new().name("nm".into()).spawn(|| panic!("thread {}", 1)).unwrap().join();
    println!("{}", msg(&old.unwrap_err()));
    let _g = D("main end");
    std::process::exit({
        let _e = D("exit arg");
        3
    });
}
use std::error::Error as Error2;
