use std::future::Future;
use std::ops::AsyncFn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

trait Fetch {
    async fn fetch(&self, key: u32) -> Result<String, String>;
    async fn twice(&self, key: u32) -> Result<String, String> {
        let a = self.fetch(key).await?;
        let b = self.fetch(key + 1).await?;
        Ok(a + &b)
    }
    fn boxed<'a>(&'a self, key: u32) -> Pin<Box<dyn Future<Output = usize> + 'a>> {
        Box::pin(async move { self.fetch(key).await.map_or(0, |s| s.len()) })
    }
}

struct Mem(Vec<&'static str>);
impl Fetch for Mem {
    async fn fetch(&self, key: u32) -> Result<String, String> {
        yield_now().await;
        self.0.get(key as usize).map(|s| s.to_string()).ok_or(format!("no {key}"))
    }
}

fn yield_now() -> impl Future<Output = ()> {
    let mut first = true;
    std::future::poll_fn(move |_| {
        if std::mem::take(&mut first) { Poll::Pending } else { Poll::Ready(()) }
    })
}

async fn apply<F: AsyncFn(i32) -> i32>(f: F, n: i32) -> i32 {
    f(n).await + f(n + 1).await
}
async fn once(f: impl AsyncFnOnce() -> String) -> String {
    f().await
}
async fn many(mut f: impl AsyncFnMut(i32)) {
    for i in 0..3 {
        f(i).await;
    }
}
async fn old_style<F, Fut>(f: F) -> u8
where
    F: Fn(u8) -> Fut,
    Fut: Future<Output = u8>,
{
    f(1).await + f(2).await
}

trait Stream {
    type Item;
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>>;
}
struct Countdown(u32, bool);
impl Stream for Countdown {
    type Item = u32;
    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<u32>> {
        self.1 = !self.1;
        if self.1 {
            return Poll::Pending;
        }
        self.0 = match self.0.checked_sub(1) {
            Some(n) => n,
            None => return Poll::Ready(None),
        };
        Poll::Ready(Some(self.0))
    }
}
struct Map<S, F>(S, F);
impl<S: Stream + Unpin, T, F: FnMut(S::Item) -> T + Unpin> Stream for Map<S, F> {
    type Item = T;
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        Pin::new(&mut self.0).poll_next(cx).map(|o| o.map(|x| (self.1)(x)))
    }
}
async fn collect<S: Stream + Unpin>(mut s: S) -> Vec<S::Item> {
    let mut v = vec![];
    while let Some(x) = std::future::poll_fn(|cx| Pin::new(&mut s).poll_next(cx)).await {
        v.push(x);
    }
    v
}

fn block_on<F: Future>(f: F) -> F::Output {
    let mut f = pin!(f);
    let mut n = 0;
    loop {
        if let Poll::Ready(v) = f.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            println!("[{n} pending]");
            return v;
        }
        n += 1;
    }
}

fn main() {
    let m = Mem(vec!["zero", "one"]);
    println!("{:?}", block_on(m.twice(0)));
    println!("{:?}", block_on(m.twice(1)));
    println!("{}", block_on(m.boxed(1)));
    let k = 10;
    println!("{}", block_on(apply(async |x| { yield_now().await; x * k }, 1)));
    let s = String::from("owned");
    println!("{}", block_on(once(async move || { yield_now().await; s + "!" })));
    let mut log = vec![];
    block_on(many(async |i| { yield_now().await; log.push(i) }));
    println!("{log:?}");
    println!("{}", block_on(old_style(|x| async move { yield_now().await; x * 3 })));
    println!("{:?}", block_on(collect(Map(Countdown(3, false), |x| x * x))));
    let blocks: Vec<Pin<Box<dyn Future<Output = i32>>>> = vec![Box::pin(async { 1 }), Box::pin(async move { k + apply(async |x| x, 0).await })];
    let mut sum = 0;
    for b in blocks {
        sum += block_on(b);
    }
    println!("{sum}");
    let r: Result<i32, std::num::ParseIntError> = block_on(async { Ok("4".parse::<i32>()? + "x".parse::<i32>()?) });
    println!("{r:?}");
}
