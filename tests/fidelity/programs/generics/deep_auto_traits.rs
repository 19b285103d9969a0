//! A future whose impl asks for `Send` of a type that is deeper than the limits of some solvers.

use std::{
    future::Future,
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

struct Task<F>(Option<F>);

impl<F> Unpin for Task<F> {}

impl<F, R> Future for Task<F>
where
    F: FnOnce() -> R + Send + 'static,
    R: Send + 'static,
{
    type Output = R;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<R> {
        let run = self.0.take().expect("polled once");
        Poll::Ready(run())
    }
}

struct Level0(Option<Arc<Level1>>);
struct Level1(Option<Arc<Level2>>);
struct Level2(Option<Arc<Level3>>);
struct Level3(Option<Arc<Level4>>);
struct Level4(Option<Arc<Level5>>);
struct Level5(Option<Arc<Level6>>);
struct Level6(Option<Arc<Level7>>);
struct Level7(Option<Arc<Level8>>);
struct Level8(Option<Arc<Level9>>);
struct Level9(Option<Arc<Level10>>);
struct Level10(Option<Arc<Level11>>);
struct Level11(Option<Arc<Level12>>);
struct Level12(Option<Arc<Level13>>);
struct Level13(Option<Arc<Level14>>);
struct Level14(Option<Arc<Level15>>);
struct Level15(Option<Arc<Level16>>);
struct Level16(Option<Arc<Level17>>);
struct Level17(Option<Arc<Level18>>);
struct Level18(Option<Arc<Level19>>);
struct Level19(PhantomData<Arc<Level0>>);

trait PollOnce {
    fn poll_once(self) -> String;
}

impl<F: Future<Output: std::fmt::Debug> + Unpin> PollOnce for F {
    fn poll_once(mut self) -> String {
        match Pin::new(&mut self).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => format!("{value:?}, {} bytes", size_of::<Option<F::Output>>()),
            Poll::Pending => String::new(),
        }
    }
}

fn run<F, R>(run: F)
where
    F: FnOnce() -> R + Send + 'static,
    R: Send + std::fmt::Debug + 'static,
{
    println!("{}", Task(Some(run)).poll_once());
}

fn main() {
    let level = Arc::new(Level0(None));
    run(move || Arc::strong_count(&level) + usize::from(level.0.is_none()));
    let last = Level19(PhantomData);
    run(move || last.0 == PhantomData);
}
