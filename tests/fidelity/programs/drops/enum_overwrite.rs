struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

enum State {
    Idle,
    Working { job: D, log: Vec<D> },
    Done(Box<D>),
}

impl State {
    fn step(self) -> State {
        match self {
            State::Idle => State::Working { job: D("job"), log: vec![D("log0")] },
            State::Working { job, mut log } => {
                log.push(D("log1"));
                println!("finish {} with {}", job.0, log.len());
                State::Done(Box::new(job))
            }
            State::Done(_) => State::Idle,
        }
    }
    fn advance(&mut self) {
        *self = match std::mem::replace(self, State::Idle) {
            State::Done(b) => {
                println!("done {}", b.0);
                State::Idle
            }
            other => other.step(),
        };
    }
    fn name(&self) -> &'static str {
        match self {
            State::Idle => "idle",
            State::Working { .. } => "working",
            State::Done(..) => "done",
        }
    }
}

fn main() {
    let mut s = State::Idle;
    for _ in 0..4 {
        s = s.step();
        println!("now {}", s.name());
    }
    let mut t = State::Idle;
    for _ in 0..3 {
        t.advance();
        println!("then {}", t.name());
    }
    t = State::Working { job: D("job2"), log: vec![D("l"), D("m")] };
    if let State::Working { log, job } = &mut t {
        log.pop();
        *job = D("job3");
    }
    println!("partially");
    if let State::Working { log, .. } = t {
        println!("log {}", log.len());
    }
    println!("end {}", s.name());
}
