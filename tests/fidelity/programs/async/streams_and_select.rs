// Async by hand: streams, select, join, timeouts by polls, async closures, async fn in traits, cancellation.
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker, ready as ready_or};
struct Count(AtomicUsize);
impl Wake for Count { fn wake(self: Arc<Self>) { self.0.fetch_add(1, Ordering::SeqCst); } }
fn run<F: Future>(f: F) -> (F::Output, usize) {
    let count = Arc::new(Count(AtomicUsize::new(0))); let waker = Waker::from(count.clone()); let mut f = pin!(f); let mut polls = 0;
    loop { polls += 1; if let Poll::Ready(v) = f.as_mut().poll(&mut Context::from_waker(&waker)) { println!("  wakes {}", count.0.load(Ordering::SeqCst)); return (v, polls) } assert!(polls < 1000) }
}
trait Stream { type Item; fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>>; }
trait StreamExt: Stream { async fn next(&mut self) -> Option<Self::Item> where Self: Unpin { poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await } fn map<F: FnMut(Self::Item) -> T, T>(self, f: F) -> Map<Self, F> where Self: Sized { Map(self, f) } async fn collect(mut self) -> Vec<Self::Item> where Self: Unpin + Sized { let mut all = vec![]; while let Some(x) = self.next().await { all.push(x) } all } }
impl<S: Stream + ?Sized> StreamExt for S {}
struct Map<S, F>(S, F);
impl<S: Stream + Unpin, F: FnMut(S::Item) -> T + Unpin, T> Stream for Map<S, F> { type Item = T; fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> { let this = &mut *self; let item = ready_or!(Pin::new(&mut this.0).poll_next(cx)); Poll::Ready(item.map(&mut this.1)) } }
struct Ticks(u32, bool);
impl Stream for Ticks { type Item = u32; fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<u32>> { self.1 = !self.1; if self.1 { cx.waker().wake_by_ref(); return Poll::Pending } if self.0 == 0 { return Poll::Ready(None) } self.0 -= 1; Poll::Ready(Some(self.0)) } }
struct Yield(u32);
impl Future for Yield { type Output = &'static str; fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> { if self.0 == 0 { Poll::Ready("done") } else { self.0 -= 1; cx.waker().wake_by_ref(); Poll::Pending } } }
struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { println!("  drop {}", self.0) } }
async fn worker(name: &'static str, n: u32) -> String { let _l = Loud(name); for i in 0..n { Yield(1).await; if i == 1 { println!("  {name} past 1") } } format!("{name}{n}") }
enum Either<A, B> { Left(A), Right(B) }
async fn select<A: Future, B: Future>(a: A, b: B) -> Either<A::Output, B::Output> { let (mut a, mut b) = (pin!(a), pin!(b)); poll_fn(|cx| { if let Poll::Ready(x) = a.as_mut().poll(cx) { return Poll::Ready(Either::Left(x)) } b.as_mut().poll(cx).map(Either::Right) }).await }
async fn join_all<F: Future>(fs: Vec<F>) -> Vec<F::Output> { let mut fs: Vec<_> = fs.into_iter().map(|f| (Box::pin(f), None)).collect(); poll_fn(|cx| { for (f, out) in &mut fs { if out.is_none() { if let Poll::Ready(x) = f.as_mut().poll(cx) { *out = Some(x) } } } if fs.iter().all(|f| f.1.is_some()) { Poll::Ready(()) } else { Poll::Pending } }).await; fs.into_iter().map(|f| f.1.unwrap()).collect() }
trait Service { async fn call(&self, x: i32) -> Result<i32, String>; async fn twice(&self, x: i32) -> Result<i32, String> { let y = self.call(x).await?; self.call(y).await } }
struct Add(i32);
impl Service for Add { async fn call(&self, x: i32) -> Result<i32, String> { Yield(1).await; if x > 50 { Err(format!("{x} > 50")) } else { Ok(x + self.0) } } }
struct Retry<S>(S, Cell<u32>);
impl<S: Service> Service for Retry<S> { async fn call(&self, x: i32) -> Result<i32, String> { for _ in 0..3 { self.1.set(self.1.get() + 1); if let Ok(y) = self.0.call(x - self.1.get() as i32 * 10).await { return Ok(y) } } Err("tired".into()) } }
async fn apply<F: AsyncFn(u32) -> u32>(f: F) -> u32 { f(1).await + f(2).await }
async fn apply_mut(mut f: impl AsyncFnMut(&str)) { f("a").await; f("b").await }
struct Mutex { locked: Cell<bool>, waiting: RefCell<VecDeque<Waker>> }
impl Mutex { async fn lock(&self) -> Guard<'_> { poll_fn(|cx| if self.locked.replace(true) { self.waiting.borrow_mut().push_back(cx.waker().clone()); Poll::Pending } else { Poll::Ready(()) }).await; Guard(self) } }
struct Guard<'a>(&'a Mutex);
impl Drop for Guard<'_> { fn drop(&mut self) { self.0.locked.set(false); if let Some(w) = self.0.waiting.borrow_mut().pop_front() { w.wake() } } }
fn recursive(n: u32) -> Pin<Box<dyn Future<Output = u32>>> { Box::pin(async move { if n == 0 { Yield(1).await; 0 } else { n + recursive(n - 1).await } }) }
fn main() {
    println!("{:?}", run(async { Ticks(4, false).map(|x| x * x).collect().await }));
    println!("{:?}", run(async { let mut t = Ticks(2, true); let mut boxed: Pin<&mut (dyn Stream<Item = u32> + Unpin)> = Pin::new(&mut t); let first = poll_fn(|cx| boxed.as_mut().poll_next(cx)).await; (first, t.next().await, t.next().await) }));
    println!("select"); println!("{:?}", match run(select(worker("slow", 5), worker("fast", 2))) { (Either::Left(x), n) => ("left", x, n), (Either::Right(x), n) => ("right", x, n) });
    println!("join"); println!("{:?}", run(join_all(vec![worker("a", 3), worker("b", 0), worker("c", 2)])));
    println!("{:?}", run(async { let s = Add(20); (s.twice(5).await, s.twice(45).await, Retry(s, Cell::new(0)).twice(75).await) }));
    let base = 10; println!("{:?}", run(apply(async |x| { Yield(x).await; x + base })));
    println!("{:?}", run(async { let mut log = String::new(); apply_mut(async |s| { Yield(1).await; log.push_str(s) }).await; log }));
    let m = Rc::new(Mutex { locked: Cell::new(false), waiting: RefCell::default() }); let log = Rc::new(RefCell::new(vec![]));
    println!("{:?}", run(join_all((0..3).map(|id| { let (m, log) = (m.clone(), log.clone()); async move { for _ in 0..2 { let _g = m.lock().await; log.borrow_mut().push(id); Yield(1).await; log.borrow_mut().push(id); } } }).collect())).1);
    println!("{:?}", log.borrow().chunks(2).all(|c| c[0] == c[1]));
    println!("{:?}", run(recursive(5)));
    println!("cancel"); { let mut w = Box::pin(worker("cancelled", 3)); let mut cx = Context::from_waker(Waker::noop()); println!("{:?}", w.as_mut().poll(&mut cx)); println!("{:?}", w.as_mut().poll(&mut cx)); } { let _never = worker("never polled", 1); println!("  made"); }
    println!("{:?}", run(async { let x = async { Err::<i32, &str>("inner")?; Ok::<i32, &str>(1) }.await; let y: Result<i32, std::num::ParseIntError> = async { Ok("12".parse::<i32>()? + ready(1).await) }.await; (x, y.unwrap()) }));
    println!("{:?}", run(async { let mut sum = 0; 'o: for i in 0.. { for j in 0..i { Yield(1).await; sum += j; if sum > 10 { break 'o } } } sum }));
    println!("{}", std::mem::size_of_val(&ready(1u8)));
}
