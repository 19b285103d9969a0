//@ edition: 2018
use std::future::Future;
use std::task::{Context, Poll, Waker};

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

async fn simple(_x: D, _: D, _y: D) {
    println!("simple body");
}
fn sync_twin(_x: D, _: D, _y: D) {
    println!("sync body");
}

async fn patterns((a, _): (D, D), [b, ..]: [D; 2]) {
    println!("{} {}", a.0, b.0);
}

async fn moved(x: D, y: D) -> D {
    let _z = y;
    println!("moved body");
    x
}

struct S(D);
impl S {
    async fn by_value(self, _other: D) {
        println!("by value");
    }
    async fn by_ref(&self, _other: D) -> usize {
        let l = D("ref local");
        (self.0).0.len() + l.0.len()
    }
}

fn block_on<F: Future>(f: F) -> F::Output {
    let mut f = Box::pin(f);
    let mut cx = Context::from_waker(Waker::noop());
    match f.as_mut().poll(&mut cx) {
        Poll::Ready(v) => v,
        Poll::Pending => unreachable!(),
    }
}

fn main() {
    block_on(simple(D("x"), D("_"), D("y")));
    println!("--");
    sync_twin(D("x"), D("_"), D("y"));
    println!("--");
    block_on(patterns((D("0"), D("1")), [D("2"), D("3")]));
    println!("--");
    drop(simple(D("ux"), D("u_"), D("uy")));
    println!("-- never polled");
    let r = block_on(moved(D("mx"), D("my")));
    println!("{}", r.0);
    let s = S(D("s"));
    println!("{}", block_on(s.by_ref(D("o"))));
    block_on(s.by_value(D("other")));
    let c = block_on(async { block_on(async { D("inner value") }) });
    println!("end {}", c.0);
}
