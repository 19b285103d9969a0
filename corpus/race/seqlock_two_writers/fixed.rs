use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

#[derive(Clone, Copy, Default)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Default)]
struct Versioned {
    version: AtomicU32,
    position: UnsafeCell<Position>,
}

unsafe impl Sync for Versioned {}

impl Versioned {
    fn update(&self, change: impl FnOnce(&mut Position)) {
        let version = loop {
            let version = self.version.load(Ordering::Relaxed) & !1;
            if self.version.compare_exchange_weak(version, version + 1, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                break version;
            }
            std::hint::spin_loop();
        };
        change(unsafe { &mut *self.position.get() });
        self.version.store(version + 2, Ordering::Release);
    }
}

// Making the version odd does not keep a second writer out.
fn main() {
    let player = Versioned::default();
    thread::scope(|scope| {
        scope.spawn(|| player.update(|position| position.x += 1.5));
        scope.spawn(|| player.update(|position| position.x -= 0.5));
    });
    let Position { x, y } = player.position.into_inner();
    println!("{x} {y}");
}
