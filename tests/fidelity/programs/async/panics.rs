use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, std::thread::panicking());
    }
}

struct PanicOn(u32);
impl Future for PanicOn {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            panic!("in poll");
        }
        self.0 -= 1;
        Poll::Pending
    }
}

async fn body() {
    let _a = D("a");
    {
        let _b = D("b");
        PanicOn(1).await;
    }
    println!("never");
}

fn poll<F: Future>(f: Pin<&mut F>) -> &'static str {
    let r = catch_unwind(AssertUnwindSafe(|| f.poll(&mut Context::from_waker(Waker::noop())).is_ready()));
    match r {
        Ok(true) => "ready",
        Ok(false) => "pending",
        Err(_) => "panicked",
    }
}

fn main() {
    {
        let mut f = pin!(body());
        println!("{}", poll(f.as_mut()));
        println!("{}", poll(f.as_mut()));
        println!("{}", poll(f.as_mut()));
    }
    println!("==");
    let mut f = Box::pin(async {
        let _d = D("done");
        5
    });
    println!("{}", poll(f.as_mut()));
    println!("{}", poll(f.as_mut()));
    println!("==");
    let mut g = Box::pin(async {
        let v = vec![D("v0"), D("v1")];
        let r: Result<u8, _> = "300".parse::<u8>();
        std::future::ready(()).await;
        drop(v);
        r.unwrap()
    });
    println!("{}", poll(g.as_mut()));
    drop(g);
    println!("end");
}
