use std::cmp::Ordering;
use std::sync::Mutex;

struct Priorities {
    of_kind: Mutex<[u32; 3]>,
}

static PRIORITIES: Priorities = Priorities { of_kind: Mutex::new([5, 1, 3]) };

#[derive(Debug, PartialEq, Eq)]
struct Task {
    kind: usize,
}

impl Task {
    fn priority(&self) -> u32 {
        PRIORITIES.of_kind.lock().unwrap()[self.kind] //~ deadlock
    }
}

impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Task) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Task {
    fn cmp(&self, other: &Task) -> Ordering {
        self.priority().cmp(&other.priority())
    }
}

// The tasks compare by a table that is locked while they are sorted.
fn main() {
    let mut tasks = vec![Task { kind: 0 }, Task { kind: 1 }, Task { kind: 2 }];
    let mut table = PRIORITIES.of_kind.lock().unwrap();
    table[1] = 9;
    tasks.sort();
    drop(table);
    println!("{tasks:?}");
}
