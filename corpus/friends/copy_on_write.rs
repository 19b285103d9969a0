use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use std::thread;

type Routes = BTreeMap<String, u16>;

#[derive(Default)]
struct Router {
    routes: RwLock<Arc<Routes>>,
}

impl Router {
    fn snapshot(&self) -> Arc<Routes> {
        self.routes.read().unwrap().clone()
    }

    fn add(&self, path: &str, port: u16) {
        let mut routes = self.routes.write().unwrap();
        Arc::make_mut(&mut routes).insert(path.to_string(), port);
    }

    fn sum(&self) -> u32 {
        let routes = self.snapshot();
        routes.values().map(|&port| u32::from(port)).sum()
    }
}

// The map is changed in place while other threads walk over it, but never the one that they have.
fn main() {
    let router = Arc::new(Router::default());
    router.add("/", 80);
    let adder = {
        let router = Arc::clone(&router);
        thread::spawn(move || {
            router.add("/api", 8080);
            router.add("/img", 8081);
        })
    };
    let sum = router.sum();
    let more = router.sum();
    adder.join().unwrap();
    println!("{} {}", sum <= more, router.snapshot().len());
}
