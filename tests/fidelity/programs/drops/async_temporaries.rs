use std::future::{Future, ready};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl D {
    async fn get(&self) -> usize {
        yield_now().await;
        self.0.len()
    }
    fn ready(&self) -> std::future::Ready<usize> {
        ready(self.0.len())
    }
}

struct Y(u8);
impl Future for Y {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
fn yield_now() -> Y {
    Y(1)
}

fn block_on<F: Future>(f: F) -> F::Output {
    let mut f = pin!(f);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(v) = f.as_mut().poll(&mut cx) {
            return v;
        }
        println!("  (pending)");
    }
}

async fn statements() {
    let n = D("let temp").get().await;
    println!("n {n}");
    D("statement temp").ready().await;
    println!("after statement");
    match D("scrutinee").get().await {
        9 => {
            yield_now().await;
            println!("arm");
        }
        _ => println!("other"),
    }
    if D("if temp").get().await == 7 {
        println!("then");
    }
    if let 11 = D("if let temp").get().await {
        yield_now().await;
        println!("if let then");
    } else {
        println!("if let else");
    }
    let sum = D("x").get().await + D("yy").get().await;
    println!("sum {sum}");
}

async fn tail() -> usize {
    let _l = D("tail local");
    D("tail temp").get().await
}

async fn early(n: usize) -> Result<usize, usize> {
    let _e = D("early local");
    let x = if n > 1 { Err(n) } else { Ok(n) };
    let v = x?;
    yield_now().await;
    Ok(v + tail().await)
}

fn main() {
    block_on(statements());
    println!("{}", block_on(tail()));
    println!("{:?} {:?}", block_on(early(5)), block_on(early(1)));
    let b = async {
        let _x = D("block local");
        let f = async move { D("inner").get().await };
        f.await
    };
    println!("{}", block_on(b));
    let never = async { D("never run").get().await };
    drop(never);
    let moved = D("moved into block");
    let f = async move { println!("{}", (&moved).0) };
    println!("not polled");
    drop(f);
}
