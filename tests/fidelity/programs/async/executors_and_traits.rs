// Futures by hand: joins, selections, channels, async traits and closures, cancellation.
use std::{
    cell::RefCell,
    collections::VecDeque,
    future::Future,
    ops::AsyncFnMut,
    pin::{Pin, pin},
    rc::Rc,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::*},
    },
    task::{Context, Poll, Wake, Waker},
};
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0)
    }
}
struct Yield(u32);
impl Future for Yield {
    type Output = u32;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        if self.0 == 0 {
            Poll::Ready(7)
        } else {
            self.0 -= 1;
            cx.waker().wake_by_ref();
            Poll::Pending
        }
    }
}
struct W(AtomicUsize, Mutex<Vec<String>>);
impl Wake for W {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref()
    }
    fn wake_by_ref(self: &Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}
fn block<F: Future>(f: F) -> (F::Output, usize) {
    let w = Arc::new(W(AtomicUsize::new(0), Mutex::default()));
    let wk = Waker::from(w.clone());
    let mut cx = Context::from_waker(&wk);
    let mut f = pin!(f);
    loop {
        if let Poll::Ready(x) = f.as_mut().poll(&mut cx) {
            return (x, w.0.load(SeqCst));
        }
    }
}
trait Svc {
    async fn call(&mut self, x: u32) -> u32;
    fn boxed<'a>(&'a mut self, x: u32) -> Pin<Box<dyn Future<Output = u32> + 'a>>
    where
        Self: Sized,
    {
        Box::pin(self.call(x))
    }
}
struct A(u32);
impl Svc for A {
    async fn call(&mut self, x: u32) -> u32 {
        self.0 += x;
        let _d = D("svc");
        Yield(1).await + self.0
    }
}
impl<S: Svc> Svc for Vec<S> {
    async fn call(&mut self, x: u32) -> u32 {
        let mut t = 0;
        for s in self.iter_mut() {
            t += s.call(x).await;
        }
        t
    }
}
async fn rec(n: u32) -> u32 {
    if n == 0 { Yield(1).await } else { Box::pin(rec(n - 1)).await + 1 }
}
enum Either<A, B> {
    L(A),
    R(B),
}
struct Sel<A, B>(Option<A>, Option<B>);
impl<A: Future + Unpin, B: Future + Unpin> Future for Sel<A, B> {
    type Output = Either<(A::Output, B), (B::Output, A)>;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(x) = Pin::new(self.0.as_mut().unwrap()).poll(cx) {
            return Poll::Ready(Either::L((x, self.1.take().unwrap())));
        }
        if let Poll::Ready(x) = Pin::new(self.1.as_mut().unwrap()).poll(cx) {
            return Poll::Ready(Either::R((x, self.0.take().unwrap())));
        }
        Poll::Pending
    }
}
async fn loud(n: &'static str, y: u32) -> &'static str {
    let _d = D(n);
    println!("start {n}");
    Yield(y).await;
    println!("done {n}");
    n
}
struct Join<F: Future>(Vec<Result<F::Output, Pin<Box<F>>>>);
impl<F: Future> Future for Join<F>
where
    F::Output: Unpin,
{
    type Output = Vec<F::Output>;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<F::Output>> {
        let mut all = true;
        for s in self.0.iter_mut() {
            if let Err(f) = s {
                match f.as_mut().poll(cx) {
                    Poll::Ready(x) => *s = Ok(x),
                    Poll::Pending => all = false,
                }
            }
        }
        if all { Poll::Ready(self.0.drain(..).map(|x| x.ok().unwrap()).collect()) } else { Poll::Pending }
    }
}
async fn apply<F: AsyncFnMut(u32) -> u32>(mut f: F) -> u32 {
    f(1).await + f(2).await
}
async fn q(ok: bool) -> Result<u32, String> {
    let _d = D("q");
    let x: u32 = if ok { "5" } else { "x" }.parse().map_err(|e| format!("{e}"))?;
    Ok(x + Yield(0).await)
}
struct Chan<T>(Rc<RefCell<(VecDeque<T>, Option<Waker>)>>);
impl<T> Clone for Chan<T> {
    fn clone(&self) -> Self {
        Chan(self.0.clone())
    }
}
impl<T> Chan<T> {
    fn send(&self, t: T) {
        let mut c = self.0.borrow_mut();
        c.0.push_back(t);
        if let Some(w) = c.1.take() {
            w.wake()
        }
    }
    async fn recv(&self) -> T {
        std::future::poll_fn(|cx| {
            let mut c = self.0.borrow_mut();
            match c.0.pop_front() {
                Some(x) => Poll::Ready(x),
                None => {
                    c.1 = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}
fn main() {
    println!(
        "{:?}",
        block(async {
            let a = Yield(2).await;
            let b = async { Yield(1).await * 2 }.await;
            a + b
        })
    );
    let mut a = A(1);
    println!("{:?}", block(a.boxed(3)));
    println!("{}", a.0);
    println!("{:?}", block(vec![A(1), A(2)].call(10)));
    println!("{:?}", block(rec(4)));
    match block(Sel(Some(Box::pin(loud("x", 3))), Some(Box::pin(loud("y", 1))))).0 {
        Either::L((v, r)) => {
            println!("L {v}");
            drop(r)
        }
        Either::R((v, l)) => {
            println!("R {v}");
            drop(l);
            println!("dropped l")
        }
    }
    println!(
        "{:?}",
        block(Join(vec![Err(Box::pin(loud("1", 2))), Err(Box::pin(loud("2", 0))), Err(Box::pin(loud("3", 1)))]))
    );
    let mut t = 0;
    println!(
        "{:?}",
        block(apply(async |x| {
            t += x;
            Yield(x).await;
            t * 10
        }))
    );
    println!("{t}");
    println!("{:?} {:?}", block(q(true)), block(q(false)));
    let c = Chan(Rc::new(RefCell::new((VecDeque::new(), None))));
    let c2 = c.clone();
    println!(
        "{:?}",
        block(Join::<Pin<Box<dyn Future<Output = i32>>>>(vec![
            Err(Box::pin(Box::pin(async move {
                let mut s = 0;
                for _ in 0..3 {
                    s += c.recv().await;
                    println!("got {s}");
                }
                s
            }))),
            Err(Box::pin(Box::pin(async move {
                for i in 1..=3 {
                    c2.send(i);
                    Yield(1).await;
                }
                0
            })))
        ]))
    );
    {
        let f = loud("never", 1);
        println!("made");
        drop(f);
    }
    {
        let mut f = Box::pin(loud("half", 5));
        let _ = f.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        println!("polled");
    }
    let f = async {
        let d = D("moved");
        let g = async move {
            let _x = &d;
            Yield(1).await;
            println!("in g")
        };
        g.await;
        println!("after g")
    };
    block(f);
    let r = std::panic::catch_unwind(|| {
        std::panic::set_hook(Box::new(|i| println!("hook {}", i.payload().downcast_ref::<&str>().unwrap_or(&"?"))));
        block(async {
            let _d = D("p");
            Yield(1).await;
            panic!("boom")
        })
    });
    println!("{}", r.is_err());
    println!(
        "{:?}",
        block(async {
            'o: loop {
                let mut n = 0;
                while Yield(n).await == 7 {
                    n += 1;
                    if n > 2 {
                        break 'o n;
                    }
                }
            }
        })
    );
    println!(
        "{:?}",
        block(async {
            match Yield(1).await {
                7 if Yield(1).await == 7 => {
                    let (a, b) = (Yield(0).await, Yield(1).await);
                    [a, b]
                }
                _ => [0, 0],
            }
        })
    );
}
