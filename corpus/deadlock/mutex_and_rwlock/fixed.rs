use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};
use std::thread;

#[derive(Default)]
struct Server {
    routes: RwLock<HashMap<String, u32>>,
    statistics: Mutex<HashMap<u32, u32>>,
}

impl Server {
    fn handle(&self, path: &str) {
        let routes = self.routes.read().unwrap();
        if let Some(&route) = routes.get(path) {
            *self.statistics.lock().unwrap().entry(route).or_default() += 1;
        }
    }

    fn reload(&self) {
        let mut routes = self.routes.write().unwrap();
        let mut statistics = self.statistics.lock().unwrap();
        routes.insert("/new".to_string(), 2);
        statistics.clear();
    }
}

// A request reads the routes and then counts; a reload stops the counting and then writes the routes.
fn main() {
    let server = Arc::new(Server::default());
    server.routes.write().unwrap().insert("/".to_string(), 1);
    let reloader = {
        let server = server.clone();
        thread::spawn(move || server.reload())
    };
    server.handle("/");
    reloader.join().unwrap();
    println!("{}", server.routes.read().unwrap().len());
}
