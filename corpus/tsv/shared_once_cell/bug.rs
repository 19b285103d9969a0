use std::cell::OnceCell;
use std::thread;

struct Device {
    port: u16,
    address: OnceCell<String>,
}

unsafe impl Sync for Device {}

impl Device {
    fn address(&self) -> &str {
        self.address.get_or_init(|| format!("host:{}", self.port)) //~ thread-safety-violation
    }
}

// A `OnceCell` is initialised by whoever comes first, on two threads.
fn main() {
    let device = Device { port: 80, address: OnceCell::new() };
    thread::scope(|scope| {
        scope.spawn(|| device.address().len());
        scope.spawn(|| device.address().len());
    });
    println!("{}", device.address());
}
