#![allow(unused)]
use std::panic::catch_unwind;
fn msg(f: impl FnOnce() + std::panic::UnwindSafe) -> String { let e = catch_unwind(f).unwrap_err(); e.downcast_ref::<String>().cloned().or(e.downcast_ref::<&str>().map(|s| s.to_string())).unwrap() }
fn f(a: i32, b: i32) -> i32 { a + b }
#[derive(PartialEq)] struct P { x: i32, y: i32 }
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let (a, b) = (1, 2); let v = vec![1, 2]; let o = Some(3);
    println!("{}", msg(|| assert!(f(a+b,b)==0)));
    println!("{}", msg(|| assert!(f(a, b,)  ==  0)));
    println!("{}", msg(|| assert!(a+b*2==7&&b!=3)));
    println!("{}", msg(|| assert!(!(a<b)||a>=b)));
    println!("{}", msg(|| assert!((a,b)==(2,1))));
    println!("{}", msg(|| assert!([a,b][0]==2)));
    println!("{}", msg(|| assert!(matches!(o,Some(1|2)))));
    println!("{}", msg(|| assert!(P{x:1,y:2}==P{ x: 2, y: 2 })));
    println!("{}", msg(|| assert!(if a>b {true} else {false})));
    println!("{}", msg(|| assert!({ a > b })));
    println!("{}", msg(|| assert!(unsafe { a > b })));
    println!("{}", msg(|| assert!(a as u8==2)));
    println!("{}", msg(|| assert!(-a==1)));
    println!("{}", msg(|| assert!(*&a==2)));
    println!("{}", msg(|| assert!((0..b).any(|x|x>a+5))));
    println!("{}", msg(|| assert!(v.iter().map(|x| x*2).collect::<Vec<_>>()==[1,2])));
    println!("{}", msg(|| assert!(a&1==0||a<<1==1|2)));
    println!("{}", msg(|| assert!("a,b".split(',').count()==1)));
    println!("{}", msg(|| assert!((1..=3).contains(&5))));
    println!("{}", msg(|| assert!(o.is_none_or(|x| {x==4}))));
}
