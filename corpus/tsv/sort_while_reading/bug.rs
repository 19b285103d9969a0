use std::thread;

struct Ranking {
    points: Vec<u32>,
}

struct View(*mut Ranking);

unsafe impl Sync for View {}

impl View {
    fn settle(&self) {
        unsafe { (*self.0).points.clear() } //~ thread-safety-violation
    }

    fn leader(&self) -> Option<u32> {
        unsafe { (*self.0).points.first().copied() } //~ thread-safety-violation
    }
}

// The list is emptied for the next season while the leader is being looked up.
fn main() {
    let mut ranking = Ranking { points: vec![30, 20, 10] };
    let view = View(&raw mut ranking);
    thread::scope(|scope| {
        scope.spawn(|| view.settle());
        println!("{}", view.leader() != Some(10));
    });
}
