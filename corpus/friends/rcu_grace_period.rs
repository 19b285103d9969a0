use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};
use std::thread;

struct Config {
    name: String,
}

struct Rcu {
    current: AtomicPtr<Config>,
    readers: [AtomicUsize; 2],
    epoch: AtomicUsize,
}

impl Rcu {
    fn read<R>(&self, look: impl FnOnce(&Config) -> R) -> R {
        let side = loop {
            let epoch = self.epoch.load(SeqCst);
            self.readers[epoch % 2].fetch_add(1, SeqCst);
            if self.epoch.load(SeqCst) == epoch {
                break epoch % 2;
            }
            self.readers[epoch % 2].fetch_sub(1, SeqCst);
        };
        let result = look(unsafe { &*self.current.load(SeqCst) });
        self.readers[side].fetch_sub(1, SeqCst);
        result
    }

    fn replace(&self, config: Config) {
        let old = self.current.swap(Box::into_raw(Box::new(config)), SeqCst);
        let epoch = self.epoch.fetch_add(1, SeqCst);
        while self.readers[epoch % 2].load(SeqCst) > 0 {
            thread::yield_now();
        }
        drop(unsafe { Box::from_raw(old) });
    }
}

// The old configuration is freed when all who may have seen it have gone; later ones count on the other side.
fn main() {
    let first = Box::into_raw(Box::new(Config { name: "first".into() }));
    let rcu = Rcu { current: AtomicPtr::new(first), readers: Default::default(), epoch: AtomicUsize::new(0) };
    thread::scope(|scope| {
        scope.spawn(|| (0..2).map(|_| rcu.read(|config| config.name.len())).sum::<usize>());
        rcu.replace(Config { name: "second".into() });
        rcu.replace(Config { name: "third".into() });
    });
    println!("{}", rcu.read(|config| config.name.clone()));
}
