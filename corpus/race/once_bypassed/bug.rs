use std::sync::Once;
use std::thread;

static INIT: Once = Once::new();
static mut HANDLERS: [Option<fn(u32) -> u32>; 2] = [None; 2];

fn register() {
    INIT.call_once(|| unsafe { HANDLERS = [Some(|n| n + 1), Some(|n| n * 2)] }); //~ data-race
}

fn dispatch(kind: usize, n: u32) -> Option<u32> {
    let handler = unsafe { HANDLERS[kind] }; //~ data-race
    handler.map(|handler| handler(n))
}

// The handlers are set up once, but whoever uses them does not go through the `Once`.
fn main() {
    let starter = thread::spawn(register);
    let result = dispatch(1, 21);
    println!("{}", result.is_none() || result == Some(42));
    starter.join().unwrap();
}
