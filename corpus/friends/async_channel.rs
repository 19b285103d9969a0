use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

type Task = Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>;

#[derive(Default)]
struct Executor {
    ready: Mutex<VecDeque<Arc<Job>>>,
}

struct Job {
    task: Task,
    executor: Arc<Executor>,
}

impl Wake for Job {
    fn wake(self: Arc<Self>) {
        let executor = self.executor.clone();
        executor.ready.lock().unwrap().push_back(self);
    }
}

impl Executor {
    fn spawn(self: &Arc<Self>, future: impl Future<Output = ()> + Send + 'static) {
        let task = Mutex::new(Some(Box::pin(future) as Pin<Box<dyn Future<Output = ()> + Send>>));
        self.ready.lock().unwrap().push_back(Arc::new(Job { task, executor: self.clone() }));
    }

    fn run(&self) {
        loop {
            let Some(job) = self.ready.lock().unwrap().pop_front() else { return };
            let waker = Waker::from(job.clone());
            let mut slot = job.task.lock().unwrap();
            let Some(mut future) = slot.take() else { continue };
            if future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
                *slot = Some(future);
            }
        }
    }
}

#[derive(Default)]
struct Channel {
    state: Mutex<(VecDeque<u32>, Vec<Waker>)>,
}

impl Channel {
    fn send(&self, value: u32) {
        let wakers = {
            let mut state = self.state.lock().unwrap();
            state.0.push_back(value);
            std::mem::take(&mut state.1)
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    async fn receive(&self) -> u32 {
        poll_fn(|context| {
            let mut state = self.state.lock().unwrap();
            match state.0.pop_front() {
                Some(value) => Poll::Ready(value),
                None => {
                    state.1.push(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}

// Wakers are taken out under the lock and woken without it; two threads run the tasks of one queue.
fn main() {
    let executor = Arc::new(Executor::default());
    let channel = Arc::new(Channel::default());
    let sum = Arc::new(Mutex::new(0));
    {
        let (channel, sum) = (channel.clone(), sum.clone());
        executor.spawn(async move {
            for _ in 0..3 {
                let value = channel.receive().await;
                *sum.lock().unwrap() += value;
            }
        });
    }
    for value in [1, 2, 3] {
        let channel = channel.clone();
        executor.spawn(async move { channel.send(value) });
    }
    let other = {
        let executor = executor.clone();
        thread::spawn(move || executor.run())
    };
    executor.run();
    other.join().unwrap();
    executor.run();
    let waker = Waker::noop();
    let left = pin!(channel.receive()).poll(&mut Context::from_waker(waker)).is_ready();
    println!("{} {left}", sum.lock().unwrap());
}
