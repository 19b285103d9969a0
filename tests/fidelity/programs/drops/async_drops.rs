use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Yield(bool);
impl Future for Yield {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            Poll::Ready(())
        } else {
            self.0 = true;
            Poll::Pending
        }
    }
}
impl Drop for Yield {
    fn drop(&mut self) {
        println!("drop yield, done={}", self.0);
    }
}

async fn work(_: D, p: D) -> usize {
    let a = D("a");
    println!("before await");
    Yield(false).await;
    let _b = D("b");
    println!("after first await");
    {
        let _c = D("c");
        Yield(false).await;
    }
    println!("after second await");
    drop(a);
    Yield(true).await;
    p.0.len()
}

fn poll_n(n: usize) {
    println!("== polled {n} times");
    let mut f = Box::pin(work(D("param _"), D("param p")));
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..n {
        match f.as_mut().poll(&mut cx) {
            Poll::Ready(v) => println!("ready {v}"),
            Poll::Pending => println!("pending"),
        }
    }
    println!("dropping the future");
    drop(f);
    println!("dropped");
}

fn main() {
    for n in 0..4 {
        poll_n(n);
    }
}
