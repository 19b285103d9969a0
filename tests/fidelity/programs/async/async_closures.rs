use std::future::*;
use std::pin::*;
use std::task::*;
fn block<F: Future>(f: F) -> F::Output {
    let mut f = pin!(f);
    loop {
        if let Poll::Ready(v) = f.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return v;
        }
    }
}
async fn twice(f: impl AsyncFn(u32) -> u32) -> u32 {
    f(1).await + f(2).await
}
async fn fm(mut f: impl AsyncFnMut(&str) -> usize) -> usize {
    f("ab").await;
    f("cde").await
}
async fn fo<T>(f: impl AsyncFnOnce() -> T) -> T {
    f().await
}
fn mk(k: u32) -> impl AsyncFn(u32) -> u32 {
    async move |x| x * k
}
async fn plain(x: u32) -> u32 {
    x + 100
}
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0)
    }
}
fn main() {
    println!("{}", block(twice(async |x| x + 1)));
    let k = 10;
    println!("{}", block(twice(async |x| x * k)));
    println!("{}", block(twice(mk(3))));
    println!("{}", block(twice(plain)));
    println!("{}", block(twice(|x| ready(x))));
    let mut tot = 0;
    println!(
        "{}",
        block(fm(async |s| {
            tot += s.len();
            tot
        }))
    );
    let s = String::from("moved");
    println!("{}", block(fo(async move || s)));
    let d = D("d");
    println!("{}", block(fo(async || d.0.len())));
    let d2 = D("d2");
    block(fo(async move || {
        let _d = d2;
        println!("in")
    }));
    println!("after");
    let c = async |a: u32, b: u32| a - b;
    println!("{}", block(c(5, 3)));
    println!(
        "{}",
        block(async {
            let v = vec![1, 2];
            let f = async |i: usize| v[i];
            f(0).await + f(1).await
        })
    );
}
