use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Debug)]
struct Loud(&'static str);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("- {}", self.0);
        if self.0 == "bomb" {
            panic!("bomb");
        }
    }
}

struct Job {
    name: String,
    reply: Sender<Result<usize, String>>,
}

fn serve(jobs: Receiver<Job>) -> usize {
    let mut served = 0;
    for Job { name, reply } in jobs {
        served += 1;
        let answer = if name.is_empty() { Err("no name".to_owned()) } else { Ok(name.len()) };
        // The asker may be gone.
        let _ = reply.send(answer);
    }
    served
}

fn main() {
    std::panic::set_hook(Box::new(|_| println!("(panic)")));
    // Both ends go with messages under way.
    let (tx, rx) = mpsc::channel();
    tx.send(Loud("one")).unwrap();
    tx.send(Loud("two")).unwrap();
    drop(tx);
    println!("left: {:?}", rx.recv().map(|it| it.0));
    drop(rx);
    println!("==");

    // A message that goes nowhere comes back in the error.
    let (tx, rx) = mpsc::channel::<Loud>();
    drop(rx);
    let error = tx.send(Loud("back")).unwrap_err();
    println!("{error:?} {error}");
    drop(error);
    println!("==");

    // A destructor that panics leaves the rest of the queue.
    let (tx, rx) = mpsc::channel();
    for name in ["first", "bomb", "leaked"] {
        tx.send(Loud(name)).unwrap();
    }
    println!("{:?}", catch_unwind(AssertUnwindSafe(|| drop(rx))).is_err());
    println!("{:?}", tx.send(Loud("late")).is_err());
    println!("==");

    // Messages of no size, large ones, unsized ones in boxes, ends in messages.
    let (tx, rx) = mpsc::channel::<()>();
    tx.send(()).unwrap();
    println!("{:?}", rx.recv());
    let (tx, rx) = mpsc::channel::<[u64; 100]>();
    tx.send([7; 100]).unwrap();
    println!("{}", rx.recv().unwrap().iter().sum::<u64>());
    let (tx, rx) = mpsc::channel::<Box<dyn Fn(i32) -> i32 + Send>>();
    let k = 3;
    tx.send(Box::new(move |x| x * k)).unwrap();
    println!("{}", rx.recv().unwrap()(14));
    let (tx, rx) = mpsc::channel::<Receiver<u8>>();
    let (inner_tx, inner_rx) = mpsc::channel();
    tx.send(inner_rx).unwrap();
    inner_tx.send(9).unwrap();
    println!("{:?}", rx.recv().unwrap().recv());
    println!("{}", inner_tx.send(1).is_err());
    println!("==");

    // Jobs with a way back.
    let (jobs, inbox) = mpsc::channel();
    let server = thread::spawn(move || serve(inbox));
    for name in ["abc", "", "hello"] {
        let (reply, answer) = mpsc::channel();
        jobs.send(Job { name: name.to_owned(), reply }).unwrap();
        println!("{name:?}: {:?}", answer.recv().unwrap());
    }
    jobs.send(Job { name: "nobody waits".into(), reply: mpsc::channel().0 }).unwrap();
    drop(jobs);
    println!("served {}", server.join().unwrap());

    // Several receivers share one end.
    let (tx, rx) = mpsc::channel::<u32>();
    let rx = Arc::new(Mutex::new(rx));
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let rx = rx.clone();
            thread::spawn(move || {
                let mut sum = 0;
                loop {
                    let next = rx.lock().unwrap().recv();
                    match next {
                        Ok(n) => sum += n,
                        Err(_) => return sum,
                    }
                }
            })
        })
        .collect();
    (1..=100).for_each(|n| tx.send(n).unwrap());
    drop(tx);
    println!("{}", workers.into_iter().map(|worker| worker.join().unwrap()).sum::<u32>());

    // In one thread, of what is not Send.
    let (tx, rx) = mpsc::channel();
    let shared = Rc::new(5);
    tx.send(shared.clone()).unwrap();
    println!("{} {}", Rc::strong_count(&shared), rx.try_iter().map(|it| *it).sum::<i32>());
    println!("{}", Rc::strong_count(&shared));
}
