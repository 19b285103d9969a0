#![allow(unused)]
use std::panic::catch_unwind;
mod deep { pub mod er { pub fn p() -> &'static str { module_path!() } pub struct G<T>(T); impl<T> G<T> { pub fn n() -> &'static str { std::any::type_name::<Self>() } } } }
macro_rules! line_of { () => { line!() } }
macro_rules! here { ($e:expr) => { ($e, line!(), column!(), file!(), stringify!($e)) } }
fn msg(f: impl FnOnce() + std::panic::UnwindSafe) -> String { let e = catch_unwind(f).unwrap_err(); e.downcast_ref::<String>().cloned().or(e.downcast_ref::<&str>().map(|s| s.to_string())).unwrap() }
#[derive(Debug, PartialEq, Clone)] struct Pt { x: i32, y: Vec<u8> }
fn main() {
    println!("{} {} {}", line!(), column!(), file!());
    println!("{} {}", line_of!(),
        line_of!());
    println!("{:?}", here!(1 + 2 * 3));
    println!("{:?}", here!(
        vec![1,2]
    ));
    println!("{} {}", module_path!(), deep::er::p());
    println!("{}", deep::er::G::<Option<Pt>>::n());
    println!("{}", stringify!(fn foo<T: Clone>(x: &'a T) -> Vec<T> where T: Copy { x.clone() }));
    println!("{}", concat!("a", 1, 2.5, 'c', true, -3));
    println!("{}", msg(|| assert!(1 + 1 == 3)));
    println!("{}", msg(|| assert!(vec![1, 2].iter().all(|x| *x > 1) && true)));
    println!("{}", msg(|| assert!(matches!(Some(1), Some(2..=5)))));
    println!("{}", msg(|| assert!(!true, "custom {}", 5)));
    println!("{}", msg(|| assert!(if true { false } else { true })));
    println!("{}", msg(|| assert!({ let x = 1; x == 2 })));
    println!("{}", msg(|| assert_eq!(1, 2)));
    println!("{}", msg(|| assert_eq!(Pt { x: 1, y: vec![1] }, Pt { x: 1, y: vec![2] }, "points {}", "differ")));
    println!("{}", msg(|| assert_ne!("a", "a")));
    println!("{}", msg(|| { debug_assert!(1 > 2); }));
    println!("{}", msg(|| unreachable!()));
    println!("{}", msg(|| unreachable!("x {}", 1)));
    println!("{}", msg(|| todo!()));
    println!("{}", msg(|| unimplemented!("y")));
    println!("{}", msg(|| { None::<i32>.expect("nope"); }));
    println!("{}", msg(|| { Err::<i32, _>(Pt { x: 1, y: vec![] }).unwrap(); }));
    println!("{}", msg(|| { let v: Vec<i32> = vec![]; v[0]; }));
    println!("{}", msg(|| { "abc".parse::<i32>().unwrap(); }));
    println!("{}", msg(|| panic!("{:?} {0:?}", 'x')));
    println!("{}", msg(|| std::panic::panic_any("any")));
    println!("{}", msg(|| { std::cell::RefCell::new(1).try_borrow_mut().map(|_| ()).unwrap(); panic!("z") }));
    let x = 3; println!("{x} {x:?} {x:>5} {0} {y}", x + 1, y = x * 2);
    eprintln!("to stderr {}", 1);
    let v = dbg!(x * 2) + 1; dbg!(); dbg!(&v, "two");
}
