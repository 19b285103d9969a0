//! Which of the values that a type has no use for stand for other variants.
#![allow(dead_code)]
use std::cmp::Ordering;
use std::num::*;
use std::mem::{size_of, size_of_val};
fn bits<T>(t: T) -> String {
    let n = size_of_val(&t);
    let p = &raw const t as *const u8;
    let v: Vec<u8> = (0..n).map(|i| unsafe { p.add(i).read() }).collect();
    std::mem::forget(t);
    format!("{v:?}")
}
#[repr(usize)] #[derive(Clone, Copy)] enum Level { Trace = 0, Error = 4 }
#[derive(Clone, Copy)] enum Three { A, B, C }
#[derive(Clone, Copy)] #[repr(i8)] enum Neg { A = -3, B = 2 }
#[derive(Clone, Copy)] #[repr(u8)] enum Top { A = 250, B = 255 }
#[derive(Clone, Copy)] #[repr(u8)] enum Mid { A = 1, B = 7 }
#[derive(Clone, Copy)] #[repr(u8)] enum High { A = 3, B = 255 }
enum Big { A(Three, u8), B, C }
enum Big2 { A(Option<Three>, u8), B(u8), C }
struct S { a: u8, l: Three }
enum Deep { X(S), Y, Z(u8) }
fn main() {
    println!("{} {}", bits(None::<Level>), bits(Some(Level::Error)));
    println!("{} {}", bits(None::<Three>), bits(None::<Option<Three>>));
    println!("{} {}", bits(Some(None::<Three>)), bits(None::<Option<Option<Three>>>));
    println!("{} {} {}", bits(None::<Neg>), bits(None::<Option<Neg>>), bits(Some(None::<Neg>)));
    println!("{} {} {}", bits(None::<Top>), bits(None::<Option<Top>>), bits(Some(None::<Top>)));
    println!("{} {} {}", bits(None::<Mid>), bits(None::<Option<Mid>>), bits(Some(None::<Mid>)));
    println!("{} {} {}", bits(None::<High>), bits(None::<Option<High>>), bits(Some(None::<High>)));
    println!("{} {} {}", bits(None::<bool>), bits(None::<Option<bool>>), bits(None::<Option<Option<bool>>>));
    println!("{} {} {}", bits(None::<char>), bits(None::<Option<char>>), bits(Some(None::<char>)));
    println!("{} {} {}", bits(None::<Ordering>), bits(None::<Option<Ordering>>), bits(Some(None::<Ordering>)));
    println!("{} {}", bits(None::<NonZeroU8>), bits(Some(NonZeroU8::MAX)));
    println!("{} {}", bits(None::<NonZeroI32>), bits(None::<Box<u8>>));
    println!("{}", size_of::<Big2>());
    println!("{} {}", size_of::<Deep>(), size_of::<Option<Option<Deep>>>());
    println!("{} {}", bits(Some(Deep::Y))[1..2].len(), size_of::<[Option<Three>; 3]>());
    println!("{} {}", bits([Some(Three::A), None, Some(Three::C)]), bits((None::<Three>, 5u8)));
    println!("{}", bits(None::<[Three; 2]>).len() > 0);
    println!("{} {}", bits(None::<std::time::Duration>).contains("202"), size_of::<Option<std::time::Duration>>());
    let d = None::<std::time::Duration>; println!("{:?} {:?}", d, Some(std::time::Duration::from_nanos(999_999_999)));
    println!("{} {}", size_of::<Option<std::time::SystemTime>>(), size_of::<Option<Option<String>>>());
    let c = { let b = true; move || b }; println!("{} {}", bits(Some(c)), size_of_val(&Some(c)));
    let v: Vec<Option<Three>> = vec![None, Some(Three::B)]; println!("{:?}", v.iter().map(|x| x.is_some()).collect::<Vec<_>>());
    println!("{}", bits(None::<std::sync::mpsc::TryRecvError>));
    println!("{} {}", bits(Err::<u8, Three>(Three::A)).len() > 0, bits(None::<Result<(), Three>>));
    println!("{} {}", bits(Some(Err::<(), Three>(Three::A))), bits(Some(Ok::<(), Three>(()))));
    println!("{}", bits(None::<std::io::ErrorKind>));
    println!("{}", bits(std::task::Poll::<Option<Three>>::Pending));
    println!("{}", bits(std::ops::ControlFlow::<(), Three>::Break(())));
}
