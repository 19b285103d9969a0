use std::thread;

struct Ranking {
    points: Vec<u32>,
}

struct View(*mut Ranking);

unsafe impl Send for View {}

impl View {
    fn settle(&self) {
        unsafe { (*self.0).points.clear() }
    }

    fn leader(&self) -> Option<u32> {
        unsafe { (*self.0).points.first().copied() }
    }
}

// The list is emptied for the next season while the leader is being looked up.
fn main() {
    let mut ranking = Ranking { points: vec![30, 20, 10] };
    let view = View(&raw mut ranking);
    println!("{}", view.leader() != Some(10));
    thread::scope(|scope| {
        scope.spawn(move || view.settle());
    });
}
