use std::sync::Mutex;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Idle,
    Running { job: u32 },
    Failed,
}

struct Machine {
    phase: Mutex<Phase>,
    limit: u32,
}

impl Machine {
    fn may_start(&self, job: u32) -> bool {
        job < self.limit && *self.phase.lock().unwrap() != Phase::Failed //~ deadlock
    }

    fn next(&self, job: u32) -> Phase {
        match *self.phase.lock().unwrap() {
            Phase::Idle if self.may_start(job) => Phase::Running { job },
            Phase::Running { job: old } if old == job => Phase::Idle,
            Phase::Failed => Phase::Idle,
            other => other,
        }
    }

    fn step(&self, job: u32) {
        let next = self.next(job);
        *self.phase.lock().unwrap() = next;
    }
}

// The condition of an arm locks the phase that the scrutinee keeps locked.
fn main() {
    let machine = Machine { phase: Mutex::new(Phase::Failed), limit: 10 };
    for job in [3, 3, 3] {
        machine.step(job);
    }
    println!("{:?}", machine.phase.lock().unwrap());
}
