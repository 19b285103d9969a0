use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::thread;

struct Route {
    metric: u32,
}

struct Table {
    current: AtomicPtr<Route>,
    hazard: AtomicPtr<Route>,
}

impl Table {
    fn metric(&self) -> u32 {
        let mut route = self.current.load(SeqCst);
        loop {
            self.hazard.store(route, SeqCst);
            let now = self.current.load(SeqCst);
            if now == route {
                break;
            }
            route = now;
        }
        let metric = unsafe { (*route).metric };
        self.hazard.store(ptr::null_mut(), SeqCst);
        metric
    }

    fn replace(&self, metric: u32) {
        let old = self.current.swap(Box::into_raw(Box::new(Route { metric })), SeqCst);
        while self.hazard.load(SeqCst) == old {
            thread::yield_now();
        }
        drop(unsafe { Box::from_raw(old) });
    }
}

// The hazard pointer may be set after the writer has looked at it, and nobody checks that again.
fn main() {
    let table = Table {
        current: AtomicPtr::new(Box::into_raw(Box::new(Route { metric: 1 }))),
        hazard: AtomicPtr::default(),
    };
    thread::scope(|scope| {
        scope.spawn(|| println!("{}", table.metric() > 0));
        table.replace(2);
    });
    println!("{}", table.metric());
}
