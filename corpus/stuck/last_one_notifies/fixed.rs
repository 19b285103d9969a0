use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Group {
    finished: Mutex<bool>,
    changed: Condvar,
    members: AtomicUsize,
}

struct Member {
    group: Arc<Group>,
    alive: Arc<()>,
}

impl Drop for Member {
    fn drop(&mut self) {
        if self.group.members.fetch_sub(1, Ordering::AcqRel) == 1 {
            *self.group.finished.lock().unwrap() = true;
            self.group.changed.notify_all();
        }
    }
}

fn work(member: Member, amount: usize) -> usize {
    let before = member.group.members.load(Ordering::Relaxed);
    amount * before.min(1) + Arc::weak_count(&member.alive)
}

// Two members that leave together see each other's handle, and neither tells that it was the last.
fn main() {
    let group = Arc::new(Group { finished: Mutex::new(false), changed: Condvar::new(), members: AtomicUsize::new(2) });
    let alive = Arc::new(());
    for amount in [1, 2] {
        let member = Member { group: group.clone(), alive: alive.clone() };
        thread::spawn(move || work(member, amount));
    }
    drop(alive);
    let finished = group.finished.lock().unwrap();
    drop(group.changed.wait_while(finished, |finished| !*finished).unwrap());
    println!("finished");
}
