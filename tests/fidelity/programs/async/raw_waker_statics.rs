use std::task::*;
fn clone(p: *const ()) -> RawWaker {
    println!("clone");
    RawWaker::new(p, &VT)
}
fn wake(_: *const ()) {
    println!("wake");
}
fn wbr(_: *const ()) {
    println!("wbr");
}
fn dropw(_: *const ()) {
    println!("drop");
}
static VT: RawWakerVTable = RawWakerVTable::new(clone, wake, wbr, dropw);
struct T {
    f: fn(i32) -> i32,
    g: fn(&str) -> usize,
}
const C: T = T { f: add, g: str::len };
static S: &T = &T { f: add, g: str::len };
static A: [fn(i32) -> i32; 2] = [add, |x| x * 2];
fn add(x: i32) -> i32 {
    x + 1
}
const fn mk(f: fn(i32) -> i32) -> T {
    T { f, g: str::len }
}
const D: T = mk(add);
fn main() {
    println!("{} {}", (C.f)(1), (C.g)("abc"));
    println!("{} {}", (S.f)(1), (S.g)("abc"));
    println!("{} {}", (D.f)(1), (D.g)("abc"));
    for a in &A {
        println!("{}", a(10));
    }
    let w = unsafe { Waker::from_raw(RawWaker::new(std::ptr::null(), &VT)) };
    w.wake_by_ref();
    let v = w.clone();
    v.wake();
}
