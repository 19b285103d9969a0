use std::sync::Barrier;
use std::thread;

fn parse(text: &str, parsed: &Barrier) -> Result<u32, std::num::ParseIntError> {
    let number = text.parse::<u32>()?;
    parsed.wait(); //~ deadlock
    Ok(number + 1)
}

// A worker that fails returns before the barrier, where the other waits for it.
fn main() {
    let parsed = Barrier::new(2);
    thread::scope(|scope| {
        let left = scope.spawn(|| parse("12", &parsed));
        let right = scope.spawn(|| parse("x", &parsed));
        println!("{:?}", left.join().unwrap().ok()); //~ deadlock
        println!("{:?}", right.join().unwrap().ok());
    });
}
