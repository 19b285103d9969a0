use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

#[derive(Default)]
struct State {
    jobs: Vec<u32>,
    running: usize,
    closed: bool,
}

#[derive(Default)]
struct Scheduler {
    state: Mutex<State>,
    changed: Condvar,
}

impl Scheduler {
    fn unlocked<'a, R>(&'a self, guard: MutexGuard<'a, State>, work: impl FnOnce() -> R) -> (MutexGuard<'a, State>, R) {
        drop(guard);
        let result = work();
        (self.state.lock().unwrap(), result)
    }

    fn run(&self) -> u32 {
        let mut sum = 0;
        let mut state = self.state.lock().unwrap();
        loop {
            if let Some(job) = state.jobs.pop() {
                state.running += 1;
                let result;
                (state, result) = self.unlocked(state, || self.execute(job));
                sum += result;
                state.running -= 1;
                self.changed.notify_all();
            } else if state.closed && state.running == 0 {
                return sum;
            } else {
                state = self.changed.wait(state).unwrap();
            }
        }
    }

    fn execute(&self, job: u32) -> u32 {
        if job > 1 {
            self.state.lock().unwrap().jobs.push(job - 1);
        }
        job
    }
}

// The job locks the scheduler, but the guard was given away for as long as it runs.
fn main() {
    let scheduler = Arc::new(Scheduler::default());
    scheduler.state.lock().unwrap().jobs.extend([3, 2]);
    let workers = [(); 2].map(|()| {
        let scheduler = scheduler.clone();
        thread::spawn(move || scheduler.run())
    });
    scheduler.state.lock().unwrap().closed = true;
    scheduler.changed.notify_all();
    println!("{}", workers.into_iter().map(|worker| worker.join().unwrap()).sum::<u32>());
}
