//! Values whose type asks for more than sixteen bytes of alignment lie where it says, wherever they are.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(256))]
struct Page(u8);

#[derive(Clone)]
#[repr(align(64))]
struct Line([u8; 3]);

#[repr(align(4096))]
struct Large {
    first: u16,
    rest: Page,
}

fn rest<T>(at: &T) -> usize {
    std::ptr::from_ref(at).addr() % align_of::<T>()
}

impl Page {
    fn by_value(self) -> (usize, u8) {
        (rest(&self), self.0)
    }
}

trait Consume {
    fn consume(self: Box<Self>) -> usize;
    fn look(&self) -> usize;
}

impl Consume for Large {
    fn consume(self: Box<Self>) -> usize {
        let inner = *self;
        rest(&inner) + rest(&inner.rest) + usize::from(inner.first)
    }
    fn look(&self) -> usize {
        rest(self)
    }
}

struct Told(&'static str, Page);

impl Drop for Told {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, rest(&self.1));
    }
}

fn boxed_once(v: u8) -> Box<dyn FnOnce(u8) -> (usize, u8)> {
    let page = Page(v);
    Box::new(move |more| (rest(&page), page.0 + more))
}

fn boxed_ref(v: u8) -> Box<dyn Fn(&Line) -> (usize, usize, u8)> {
    let page = Page(v);
    Box::new(move |line| (rest(&page), rest(line), page.0 + line.0[1]))
}

#[inline(never)]
fn params(a: u8, page: Page, b: u8, line: Line, c: u8) -> (usize, usize, u8) {
    (rest(&page), rest(&line), a + b + c + page.0 + line.0[0])
}

fn deep(n: u8) -> usize {
    let odd = [n; 17];
    let page = Page(n);
    let rest = rest(&page) + usize::from(odd[usize::from(n)] != n);
    if n == 0 { rest } else { rest + deep(n - 1) }
}

fn make(n: u8) -> Page {
    let made = Page(n);
    assert_eq!(rest(&made), 0);
    made
}

struct Once(bool);

impl Future for Once {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

async fn held(page: Page) -> (usize, usize) {
    let line = Line([1, 2, 3]);
    let before = rest(&page) + rest(&line);
    Once(false).await;
    (before, rest(&page) + rest(&line))
}

fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut cx) {
            return value;
        }
    }
}

fn main() {
    let small = 1u8;
    let page = Page(2);
    let line = Line([3, 4, 5]);
    println!("locals {} {} {small}", rest(&page), rest(&line));
    println!("by value {:?}", page.by_value());
    println!("once {:?}", boxed_once(7)(1));
    println!("ref {:?}", boxed_ref(7)(&line));
    println!("params {:?}", params(1, page, 2, line.clone(), 3));
    println!("deep {}", deep(6));
    println!("temporaries {} {}", rest(&Page(1)), rest(&make(9)));
    let pages = [Page(1), Page(2), Page(3)];
    println!("array {:?} {}", pages.iter().map(rest).collect::<Vec<_>>(), pages.into_iter().map(|p| rest(&p)).sum::<usize>());
    let tuple = (1u8, line, page, 2u8);
    println!("tuple {} {} {}", rest(&tuple), rest(&tuple.1), rest(&tuple.2));
    let some = Some(Page(4));
    if let Some(inner) = &some {
        println!("option {} {}", rest(inner), size_of_val(&some));
    }
    if let Some(inner) = some {
        println!("moved {}", rest(&inner));
    }
    let large: Box<dyn Consume> = Box::new(Large { first: 0, rest: Page(1) });
    println!("dyn {} {}", large.look(), large.consume());
    let told = Told("captured", Page(1));
    let call: Box<dyn FnOnce()> = Box::new(move || println!("called {} {}", told.0, rest(&told.1)));
    call();
    let kept = Told("kept", Page(1));
    let unused: Box<dyn FnOnce()> = Box::new(move || drop(kept));
    drop(unused);
    println!("async {:?}", run(held(Page(1))));
    println!("async block {}", run(async { rest(&{ Once(false).await; Page(3) }) }));
    let caught = std::panic::catch_unwind(|| {
        let told = Told("unwound", Page(8));
        std::panic::resume_unwind(Box::new(Page(told.1.0)));
    });
    let payload = caught.unwrap_err().downcast::<Page>().unwrap();
    println!("payload {} {:?}", rest(&*payload), payload);
    let thread = std::thread::spawn(move || (rest(&page), make(1)));
    let (inside, back) = thread.join().unwrap();
    println!("thread {inside} {}", rest(&back));
    // What comes after such frames lies where it would without them.
    let a = std::ptr::from_ref(&small).addr();
    deep(3);
    println!("after {}", std::ptr::from_ref(&small).addr() == a);
}
