use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::*;
use std::pin::*;
use std::rc::Rc;
use std::sync::atomic::*;
use std::sync::{Arc, Mutex};
use std::task::*;
fn raw(c: Rc<Cell<u32>>) -> RawWaker {
    const VT: RawWakerVTable = RawWakerVTable::new(
        |p| {
            let r = unsafe { Rc::from_raw(p as *const Cell<u32>) };
            let n = r.clone();
            std::mem::forget(r);
            raw(n)
        },
        |p| {
            let r = unsafe { Rc::from_raw(p as *const Cell<u32>) };
            r.set(r.get() + 1)
        },
        |p| {
            let r = unsafe { &*(p as *const Cell<u32>) };
            r.set(r.get() + 1)
        },
        |p| drop(unsafe { Rc::from_raw(p as *const Cell<u32>) }),
    );
    RawWaker::new(Rc::into_raw(c) as *const (), &VT)
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
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0)
    }
}
enum MaybeDone<F: Future> {
    Fut(F),
    Done(F::Output),
    Gone,
}
struct Join<A: Future, B: Future>(MaybeDone<A>, MaybeDone<B>);
impl<F: Future> MaybeDone<F> {
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> bool {
        unsafe {
            let this = self.get_unchecked_mut();
            if let MaybeDone::Fut(f) = this {
                match Pin::new_unchecked(f).poll(cx) {
                    Poll::Ready(v) => {
                        *this = MaybeDone::Done(v);
                        true
                    }
                    Poll::Pending => false,
                }
            } else {
                true
            }
        }
    }
    fn take(&mut self) -> F::Output {
        match std::mem::replace(self, MaybeDone::Gone) {
            MaybeDone::Done(v) => v,
            _ => panic!(),
        }
    }
}
impl<A: Future, B: Future> Future for Join<A, B> {
    type Output = (A::Output, B::Output);
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let t = unsafe { self.get_unchecked_mut() };
        let a = unsafe { Pin::new_unchecked(&mut t.0) }.poll(cx);
        let b = unsafe { Pin::new_unchecked(&mut t.1) }.poll(cx);
        if a & b { Poll::Ready((t.0.take(), t.1.take())) } else { Poll::Pending }
    }
}
fn join<A: Future, B: Future>(a: A, b: B) -> Join<A, B> {
    Join(MaybeDone::Fut(a), MaybeDone::Fut(b))
}
async fn select<A: Future + Unpin, B: Future + Unpin>(mut a: A, mut b: B) -> Result<A::Output, B::Output> {
    poll_fn(move |cx| {
        if let Poll::Ready(x) = Pin::new(&mut a).poll(cx) {
            return Poll::Ready(Ok(x));
        }
        if let Poll::Ready(x) = Pin::new(&mut b).poll(cx) {
            return Poll::Ready(Err(x));
        }
        Poll::Pending
    })
    .await
}
macro_rules! join_all { ($($e:expr),+ $(,)?) => {{ let mut futs: Vec<Pin<Box<dyn Future<Output = _>>>> = vec![$(Box::pin($e)),+]; let mut out = vec![None; futs.len()]; poll_fn(move |cx| { let mut all = true; for (f, o) in futs.iter_mut().zip(out.iter_mut()) { if o.is_none() { match f.as_mut().poll(cx) { Poll::Ready(v) => *o = Some(v), Poll::Pending => all = false } } } if all { Poll::Ready(out.iter_mut().map(|o| o.take().unwrap()).collect::<Vec<_>>()) } else { Poll::Pending } }) }} }
fn rec(n: u32) -> Pin<Box<dyn Future<Output = u32>>> {
    Box::pin(async move {
        if n == 0 {
            0
        } else {
            Yield(1).await;
            n + rec(n - 1).await
        }
    })
}
async fn rec2(n: u32) -> u32 {
    if n < 2 { n } else { Box::pin(rec2(n - 1)).await + Box::pin(rec2(n - 2)).await }
}
struct Ex {
    q: RefCell<VecDeque<(usize, Pin<Box<dyn Future<Output = ()>>>)>>,
    n: Cell<usize>,
}
impl Ex {
    fn spawn(&self, f: impl Future<Output = ()> + 'static) {
        let n = self.n.get();
        self.n.set(n + 1);
        self.q.borrow_mut().push_back((n, Box::pin(f)));
    }
    fn run(&self) {
        let mut polls = BTreeMap::<usize, u32>::new();
        loop {
            let Some((id, mut f)) = self.q.borrow_mut().pop_front() else { break };
            *polls.entry(id).or_default() += 1;
            if f.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
                self.q.borrow_mut().push_back((id, f))
            }
        }
        println!("{polls:?}");
    }
}
struct Chan<T> {
    q: VecDeque<T>,
    w: Option<Waker>,
    closed: bool,
}
struct Tx<T>(Arc<Mutex<Chan<T>>>);
struct Rx<T>(Arc<Mutex<Chan<T>>>);
fn chan<T>() -> (Tx<T>, Rx<T>) {
    let c = Arc::new(Mutex::new(Chan { q: VecDeque::new(), w: None, closed: false }));
    (Tx(c.clone()), Rx(c))
}
impl<T> Tx<T> {
    fn send(&self, t: T) {
        let mut c = self.0.lock().unwrap();
        c.q.push_back(t);
        if let Some(w) = c.w.take() {
            w.wake()
        }
    }
}
impl<T> Drop for Tx<T> {
    fn drop(&mut self) {
        let mut c = self.0.lock().unwrap();
        c.closed = true;
        if let Some(w) = c.w.take() {
            w.wake()
        }
    }
}
impl<T> Rx<T> {
    async fn recv(&mut self) -> Option<T> {
        poll_fn(|cx| {
            let mut c = self.0.lock().unwrap();
            match c.q.pop_front() {
                Some(t) => Poll::Ready(Some(t)),
                None if c.closed => Poll::Ready(None),
                None => {
                    c.w = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}
struct Th(std::thread::Thread, AtomicU32);
impl Wake for Th {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref()
    }
    fn wake_by_ref(self: &Arc<Self>) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.unpark()
    }
}
fn block<F: Future>(f: F) -> F::Output {
    let mut f = pin!(f);
    let w: Waker = Arc::new(Th(std::thread::current(), AtomicU32::new(0))).into();
    let mut cx = Context::from_waker(&w);
    loop {
        if let Poll::Ready(v) = f.as_mut().poll(&mut cx) {
            return v;
        }
        std::thread::park()
    }
}
trait Svc {
    type Err: std::fmt::Debug;
    async fn call(&mut self, n: i32) -> Result<i32, Self::Err>;
    fn name(&self) -> impl std::fmt::Display + '_ {
        "default"
    }
    fn items(&self) -> impl Iterator<Item = i32>;
    async fn both(&mut self) -> i32 {
        let a = self.call(1).await.unwrap();
        Yield(1).await;
        a + self.call(2).await.unwrap_or(-1)
    }
}
struct S1(i32);
struct S2 {
    pre: String,
}
impl Svc for S1 {
    type Err = String;
    async fn call(&mut self, n: i32) -> Result<i32, String> {
        self.0 += n;
        Yield(2).await;
        if self.0 > 5 { Err(format!("too big {}", self.0)) } else { Ok(self.0) }
    }
    fn items(&self) -> impl Iterator<Item = i32> {
        (0..self.0).map(|x| x * x)
    }
}
impl Svc for S2 {
    type Err = ();
    fn call(&mut self, n: i32) -> impl Future<Output = Result<i32, ()>> {
        ready(Ok(n * 10))
    }
    fn name(&self) -> impl std::fmt::Display + '_ {
        &self.pre
    }
    fn items(&self) -> impl Iterator<Item = i32> {
        vec![3, 1].into_iter()
    }
}
impl<T: Svc> Svc for Box<T> {
    type Err = T::Err;
    async fn call(&mut self, n: i32) -> Result<i32, T::Err> {
        println!("box");
        (**self).call(n).await
    }
    fn items(&self) -> impl Iterator<Item = i32> {
        (**self).items().chain([99])
    }
}
async fn drive<S: Svc>(mut s: S) -> (i32, String, Vec<i32>) {
    let r = s.both().await;
    let n = s.name().to_string();
    (r, n, s.items().collect())
}
struct Holder<F> {
    f: F,
    name: &'static str,
}
impl<F: Future<Output = u32>> Holder<F> {
    async fn go(self) -> String {
        format!("{}={}", self.name, self.f.await)
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
    async move |x| {
        Yield(1).await;
        x * k
    }
}
async fn q() -> Result<u32, Box<dyn std::error::Error>> {
    let a: u32 = "4".parse()?;
    let b: u32 = async { Ok::<_, std::num::ParseIntError>("z".parse::<u32>()?) }.await?;
    Ok(a + b)
}
async fn locals(n: u32) -> u32 {
    let _a = D("a");
    let r = {
        let _b = D("b");
        Yield(n).await
    };
    let _c = D("c");
    for i in 0..2 {
        let _l = D("loop");
        if i == 1 {
            break;
        }
        Yield(1).await;
    }
    r
}
fn main() {
    let c = Rc::new(Cell::new(0));
    {
        let w = unsafe { Waker::from_raw(raw(c.clone())) };
        let w2 = w.clone();
        w.wake_by_ref();
        w2.wake();
        println!("{} {} {}", c.get(), Rc::strong_count(&c), w.will_wake(&w.clone()));
        let mut cx = Context::from_waker(&w);
        let mut y = pin!(Yield(1));
        println!("{:?} {:?} {}", y.as_mut().poll(&mut cx), y.as_mut().poll(&mut cx), c.get());
    }
    println!("{}", Rc::strong_count(&c));
    println!(
        "{:?}",
        block(join(
            async {
                Yield(3).await;
                1
            },
            async {
                Yield(1).await;
                "x"
            }
        ))
    );
    println!(
        "{:?}",
        block(select(
            Box::pin(async {
                Yield(5).await;
                D("slow");
                1
            }),
            Yield(2)
        ))
    );
    println!("{:?}", block(join_all![async { 1 }, async { Yield(2).await + 1 }]));
    println!("{} {}", block(rec(5)), block(rec2(8)));
    let ex = Ex { q: RefCell::default(), n: Cell::new(0) };
    let log = Rc::new(RefCell::new(vec![]));
    for i in 0..3 {
        let log = log.clone();
        ex.spawn(async move {
            for k in 0..=i {
                log.borrow_mut().push((i, k));
                Yield(i as u32).await;
            }
        });
    }
    ex.run();
    println!("{:?}", log.borrow());
    let (tx, mut rx) = chan::<i32>();
    let t = std::thread::spawn(move || {
        for i in 0..3 {
            tx.send(i);
            std::thread::yield_now();
        }
    });
    println!(
        "{}",
        block(async {
            let mut s = 0;
            while let Some(x) = rx.recv().await {
                s += x
            }
            s
        })
    );
    t.join().unwrap();
    println!(
        "{:?} {:?} {:?}",
        block(drive(S1(0))),
        block(drive(S1(4))),
        block(drive(S2 { pre: "p".into() }))
    );
    println!("{}", block(Holder { f: async { Yield(1).await }, name: "h" }.go()));
    println!("{} {}", block(twice(mk(3))), block(twice(async |x| x + 1)));
    let mut tot = 0;
    println!(
        "{}",
        block(fm(async |s| {
            Yield(1).await;
            tot += s.len();
            tot
        }))
    );
    let s = String::from("moved");
    println!(
        "{}",
        block(fo(async move || {
            Yield(1).await;
            s
        }))
    );
    println!("{:?}", block(q()).map_err(|e| e.to_string()));
    println!("{}", block(locals(2)));
    {
        let mut f = Box::pin(locals(3));
        let _ = f.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        println!("cancel");
    }
    {
        let _never = locals(1);
        println!("unpolled");
    }
    let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        block(async {
            let _d = D("unwound");
            Yield(1).await;
            if true {
                panic!("in async")
            }
        })
    }));
    println!("{}", r.is_err());
    let boxed: Vec<(&str, Pin<Box<dyn Future<Output = i32> + Send>>)> =
        vec![("a", Box::pin(async { 1 })), ("b", Box::pin(ready(2)))];
    for (n, f) in boxed {
        println!("{n} {}", block(f));
    }
    println!("{}", size_of_val(&Yield(1)));
}
