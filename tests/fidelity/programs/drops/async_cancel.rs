use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

struct D(String);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Steps(u32);
impl Future for Steps {
    type Output = &'static str;
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        if self.0 == 0 {
            Poll::Ready("steps done")
        } else {
            self.0 -= 1;
            Poll::Pending
        }
    }
}

async fn task(name: &'static str, n: u32) -> String {
    let guard = D(format!("{name} guard"));
    let list = vec![D(format!("{name} list0")), D(format!("{name} list1"))];
    for (i, d) in list.into_iter().enumerate() {
        println!("{name} at {i} {}", d.0);
        Steps(n).await;
    }
    format!("{name} finished, {}", guard.0)
}

enum Either<A, B> {
    Left(A),
    Right(B),
}

struct Select<A, B>(Pin<Box<A>>, Pin<Box<B>>);
impl<A: Future, B: Future> Future for Select<A, B> {
    type Output = Either<A::Output, B::Output>;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(a) = self.0.as_mut().poll(cx) {
            return Poll::Ready(Either::Left(a));
        }
        if let Poll::Ready(b) = self.1.as_mut().poll(cx) {
            return Poll::Ready(Either::Right(b));
        }
        Poll::Pending
    }
}

fn run<F: Future>(f: F) -> F::Output {
    let mut f = Box::pin(f);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(v) = f.as_mut().poll(&mut cx) {
            return v;
        }
    }
}

async fn race(a: u32, b: u32) {
    match Select(Box::pin(task("a", a)), Box::pin(task("b", b))).await {
        Either::Left(s) => println!("left: {s}"),
        Either::Right(s) => println!("right: {s}"),
    }
    println!("race over");
}

fn main() {
    run(race(1, 3));
    println!("==");
    run(race(4, 1));
    println!("==");
    let mut nested = Box::pin(async {
        let _o = D("outer".into());
        race(2, 2).await;
    });
    let mut cx = Context::from_waker(Waker::noop());
    println!("{}", nested.as_mut().poll(&mut cx).is_pending());
    println!("{}", nested.as_mut().poll(&mut cx).is_pending());
    println!("cancel");
    drop(nested);
    println!("end");
}
