#![allow(unused)]
use std::future::Future; use std::pin::{Pin, pin}; use std::task::*;
struct D(&'static str); impl Drop for D { fn drop(&mut self) { println!("drop {}", self.0) } }
fn block<F: Future>(f: F) -> F::Output { let mut f = pin!(f); let mut cx = Context::from_waker(Waker::noop()); loop { if let Poll::Ready(v) = f.as_mut().poll(&mut cx) { return v } } }
struct Yield(bool); impl Future for Yield { type Output = (); fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> { if self.0 { Poll::Ready(()) } else { self.0 = true; Poll::Pending } } }
async fn add(a: i32, b: i32) -> i32 { Yield(false).await; a + b }
async fn rec(n: u32) -> u32 { if n == 0 { 0 } else { Box::pin(rec(n - 1)).await + n } }
trait T { fn go(&self) -> impl Future<Output = i32>; async fn stop(&self) -> i32 { 7 } }
struct S(i32); impl T for S { async fn go(&self) -> i32 { add(self.0, 1).await } }
async fn tryit(x: Result<i32, String>) -> Result<i32, String> { let _d = D("try"); let v = x?; Yield(false).await; Ok(v * 2) }
async fn call<F: AsyncFn(i32) -> i32>(f: F) -> i32 { f(1).await + f(2).await }
async fn call_mut<F: AsyncFnMut(i32)>(mut f: F) { f(1).await; f(2).await; }
async fn call_once<F: AsyncFnOnce() -> String>(f: F) -> String { f().await }
fn main() {
    println!("{}", block(add(1, 2))); println!("{}", block(rec(5)));
    println!("{} {}", block(S(4).go()), block(S(4).stop()));
    println!("{:?} {:?}", block(tryit(Ok(3))), block(tryit(Err("bad".into()))));
    let k = 10; println!("{}", block(call(async |x| { Yield(false).await; x * k })));
    let mut sum = 0; block(call_mut(async |x| { Yield(false).await; sum += x; })); println!("{sum}");
    let s = String::from("own"); println!("{}", block(call_once(async move || { Yield(false).await; s })));
    let d = D("cap"); let c = async move |x: i32| { let _r = &d; Yield(false).await; println!("in {x}"); }; { let f = c(1); println!("made"); } block(c(2)); println!("called"); drop(c); println!("--");
    let f = async { let _a = D("a"); Yield(false).await; let _b = D("b"); Yield(false).await; D("ret") };
    { let mut p = Box::pin(f); let mut cx = Context::from_waker(Waker::noop()); println!("{}", p.as_mut().poll(&mut cx).is_ready()); println!("{}", p.as_mut().poll(&mut cx).is_ready()); println!("dropping"); }
    let fs: Vec<Pin<Box<dyn Future<Output = i32>>>> = vec![Box::pin(add(1, 1)), Box::pin(async { 5 }), Box::pin(std::future::ready(6))];
    for f in fs { print!("{} ", block(f)); } println!();
    println!("{}", block(async { let x = async { Yield(false).await; 3 }.await; for i in 0..3 { Yield(false).await; if i == 1 { return x + i; } } 0 }));
    println!("{:?}", block(std::future::poll_fn({ let mut n = 0; move |_| { n += 1; if n > 2 { Poll::Ready(n) } else { Poll::Pending } } })));
    println!("{}", block(async { match add(1, 2).await { 3 if add(2, 2).await == 4 => "guard", _ => "no" } }));
    println!("{:?}", block(async { let v: Result<i32, String> = async { let x: i32 = "5".parse().map_err(|_| "e".to_string())?; Ok(x) }.await; v }));
}
