use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct PingPong {
    turn: Mutex<(u32, u32)>,
    cv: Condvar,
}

impl PingPong {
    fn play(&self, me: u32, rounds: u32, log: &Mutex<Vec<String>>) {
        for i in 0..rounds {
            let mut g = self.turn.lock().unwrap();
            while g.0 != me {
                g = self.cv.wait(g).unwrap();
            }
            log.lock().unwrap().push(format!("{me}:{i}"));
            g.0 = 1 - me;
            g.1 += 1;
            self.cv.notify_all();
        }
    }
}

struct Queue<T> {
    items: Mutex<(Vec<T>, bool)>,
    ready: Condvar,
}
impl<T> Queue<T> {
    fn push(&self, t: T) {
        self.items.lock().unwrap().0.push(t);
        self.ready.notify_one();
    }
    fn close(&self) {
        self.items.lock().unwrap().1 = true;
        self.ready.notify_all();
    }
    fn pop(&self) -> Option<T> {
        let mut g = self.ready.wait_while(self.items.lock().unwrap(), |q| q.0.is_empty() && !q.1).unwrap();
        if g.0.is_empty() { None } else { Some(g.0.remove(0)) }
    }
}

fn main() {
    let p = PingPong { turn: Mutex::new((0, 0)), cv: Condvar::new() };
    let log = Mutex::new(vec![]);
    thread::scope(|s| {
        s.spawn(|| p.play(0, 3, &log));
        s.spawn(|| p.play(1, 3, &log));
    });
    println!("{:?} {}", log.lock().unwrap(), p.turn.lock().unwrap().1);
    let q = Arc::new(Queue { items: Mutex::new((vec![], false)), ready: Condvar::new() });
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let q = q.clone();
            thread::spawn(move || {
                let mut sum = 0;
                while let Some(n) = q.pop() {
                    sum += n;
                }
                sum
            })
        })
        .collect();
    for i in 1..=20 {
        q.push(i);
    }
    q.close();
    println!("{}", workers.into_iter().map(|w| w.join().unwrap()).sum::<i32>());
    let pair = (Mutex::new(false), Condvar::new());
    thread::scope(|s| {
        s.spawn(|| {
            *pair.0.lock().unwrap() = true;
            pair.1.notify_one();
        });
        let mut started = pair.0.lock().unwrap();
        while !*started {
            started = pair.1.wait(started).unwrap();
        }
        println!("started {started}");
    });
}
