use std::cell::UnsafeCell;
use std::sync::{LazyLock, OnceLock};
use std::thread;

struct Table(UnsafeCell<[u32; 4]>);

unsafe impl Sync for Table {}

static SQUARES: LazyLock<Vec<u32>> = LazyLock::new(|| (0..5).map(|n| n * n).collect());
static TABLE: OnceLock<Table> = OnceLock::new();

fn third() -> u32 {
    let table = TABLE.get_or_init(|| {
        let table = Table(UnsafeCell::new([0; 4]));
        unsafe { (*table.0.get())[3] = SQUARES[3] };
        table
    });
    unsafe { (*table.0.get())[3] }
}

// Whoever comes second sees what the first one initialised.
fn main() {
    let workers = [(); 3].map(|()| thread::spawn(third));
    println!("{:?}", workers.map(|worker| worker.join().unwrap()));
}
