// Constants of equal bytes have one address; programs see it by `will_wake` and `ptr::eq`.
use std::sync::Arc;
use std::task::*;
struct W;
impl Wake for W {
    fn wake(self: Arc<Self>) {}
}
unsafe fn cl(p: *const ()) -> RawWaker {
    RawWaker::new(p, &VT)
}
unsafe fn no(_: *const ()) {}
const VT: RawWakerVTable = RawWakerVTable::new(cl, no, no, no);
static ST: RawWakerVTable = RawWakerVTable::new(cl2, no, no, no);
unsafe fn cl2(p: *const ()) -> RawWaker {
    RawWaker::new(p, &ST)
}
unsafe fn cl3(p: *const ()) -> RawWaker {
    RawWaker::new(p, &RawWakerVTable::new(cl3, no, no, no))
}
const X: [u8; 2] = [1, 2];
fn one() -> &'static i32 {
    &5
}
fn main() {
    let w = Waker::from(Arc::new(W));
    println!("{}", w.will_wake(&w.clone()));
    let w = unsafe { Waker::from_raw(RawWaker::new(std::ptr::null(), &VT)) };
    println!("{}", w.will_wake(&w.clone()));
    let w = unsafe { Waker::from_raw(RawWaker::new(std::ptr::null(), &ST)) };
    println!("{}", w.will_wake(&w.clone()));
    let w = unsafe { Waker::from_raw(cl3(std::ptr::null())) };
    println!("{} {}", w.will_wake(&w.clone()), w.clone().will_wake(&w.clone()));

    println!("{} {:?}", eq(one(), one()), X);
    println!("{}", Waker::noop().will_wake(&Waker::noop().clone()));
    more();
}

struct A;
impl A {
    const C: [u8; 3] = [1, 2, 3];
    fn p() -> *const [u8; 3] {
        &Self::C
    }
    fn q() -> *const [u8; 3] {
        &A::C
    }
}
trait T {
    const V: u32;
    fn p() -> *const u32 {
        &Self::V
    }
}
impl T for u8 {
    const V: u32 = 5;
}
impl T for u16 {
    const V: u32 = 5;
}
const N: i32 = 3;
const M: i32 = 3;
fn f() -> &'static i32 {
    &N
}
fn g() -> &'static i32 {
    &N
}
fn h() -> &'static i32 {
    &M
}
fn i() -> &'static str {
    "abc"
}
fn j() -> &'static str {
    "abc"
}
fn k() -> &'static [i32] {
    &[1, 2, 3]
}
fn l() -> &'static [i32] {
    &[1, 2, 3]
}
fn m() -> &'static i32 {
    &77
}
fn n() -> &'static i32 {
    &77
}
const SC: &str = "abc";
#[allow(dead_code)]
const R: &[u8; 3] = &A::C;
static S: i32 = 3;
use std::ptr::eq;
struct VT {
    f: fn() -> i32,
}
const VTC: VT = VT { f: || 3 };
fn v1() -> &'static VT {
    &VTC
}
fn v2() -> &'static VT {
    &VTC
}
fn more() {
    println!("{} {}", eq(<u8 as T>::p(), <u8 as T>::p()), eq(<u8 as T>::p(), &<u8 as T>::V));
    println!("{}", eq(<u8 as T>::p(), <u16 as T>::p()));
    println!("{} {} {}", eq(f(), g()), eq(f(), h()), eq(f(), &S));
    println!("{} {}", eq(i(), j()), eq(i(), SC));
    println!("{}", eq(k(), l()));
    println!("{}", eq(m(), n()));
    println!("{} {}", eq(v1(), v2()), (v1().f)());
}
