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
        let version = self.version.fetch_add(1, Ordering::AcqRel);
        change(unsafe { &mut *self.position.get() });
        self.version.store(version + 2, Ordering::Release);
    }
}

// Making the version odd does not keep a second writer out.
fn main() {
    let player = Versioned::default();
    thread::scope(|scope| {
        scope.spawn(|| player.update(|position| position.x += 1.5)); //~ data-race
        scope.spawn(|| player.update(|position| position.x -= 0.5)); //~ data-race
    });
    let Position { x, y } = player.position.into_inner();
    println!("{x} {y}");
}
