use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

type Task<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

struct Sleep(u32);
impl Future for Sleep {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            Poll::Ready(())
        } else {
            self.0 -= 1;
            Poll::Pending
        }
    }
}

struct JoinAll<'a, T> {
    tasks: Vec<(Option<Task<'a, T>>, Option<T>)>,
}
impl<T: Unpin> Future for JoinAll<'_, T> {
    type Output = Vec<T>;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<T>> {
        let mut done = true;
        for (task, out) in &mut self.tasks {
            if let Some(t) = task {
                match t.as_mut().poll(cx) {
                    Poll::Ready(v) => {
                        *out = Some(v);
                        *task = None;
                    }
                    Poll::Pending => done = false,
                }
            }
        }
        if done { Poll::Ready(self.tasks.iter_mut().map(|(_, o)| o.take().unwrap()).collect()) } else { Poll::Pending }
    }
}
fn join_all<'a, T>(it: impl IntoIterator<Item = Task<'a, T>>) -> JoinAll<'a, T> {
    JoinAll { tasks: it.into_iter().map(|t| (Some(t), None)).collect() }
}

async fn select<'a, T>(mut a: Task<'a, T>, mut b: Task<'a, T>) -> (T, Task<'a, T>) {
    enum Won {
        A,
        B,
    }
    let (v, who) = std::future::poll_fn(|cx| {
        if let Poll::Ready(v) = a.as_mut().poll(cx) {
            return Poll::Ready((v, Won::A));
        }
        b.as_mut().poll(cx).map(|v| (v, Won::B))
    })
    .await;
    match who {
        Won::A => (v, b),
        Won::B => (v, a),
    }
}

fn block_on<T>(f: impl Future<Output = T>) -> (T, u32) {
    let mut f = std::pin::pin!(f);
    let mut polls = 0;
    loop {
        polls += 1;
        if let Poll::Ready(v) = f.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return (v, polls);
        }
    }
}

async fn job(name: &str, n: u32) -> String {
    println!("{name} starts");
    Sleep(n).await;
    println!("{name} ends");
    name.to_uppercase()
}

fn run_queue(mut q: VecDeque<(u32, Task<'_, String>)>) {
    while let Some((id, mut t)) = q.pop_front() {
        match t.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(s) => println!("task {id} -> {s}"),
            Poll::Pending => q.push_back((id, t)),
        }
    }
}

fn main() {
    println!("{:?}", block_on(join_all([Box::pin(job("a", 2)) as Task<_>, Box::pin(job("b", 0)), Box::pin(job("c", 1))])));
    let (r, polls) = block_on(async {
        let (first, rest) = select(Box::pin(job("slow", 3)), Box::pin(job("fast", 1))).await;
        println!("first {first}");
        let second = rest.await;
        (first, second)
    });
    println!("{r:?} {polls}");
    let text = String::from("borrowed");
    let mut q: VecDeque<(u32, Task<String>)> = VecDeque::new();
    for i in 0..3u32 {
        let text = &text;
        q.push_back((
            i,
            Box::pin(async move {
                for k in 0..i {
                    println!("{text} {i} at {k}");
                    Sleep(1).await;
                }
                format!("{text}{i}")
            }),
        ));
    }
    run_queue(q);
}
