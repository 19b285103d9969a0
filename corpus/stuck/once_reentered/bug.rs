use std::sync::Once;

static SET_UP: Once = Once::new();

fn set_up() {
    SET_UP.call_once(|| { //~ deadlock
        println!("set up");
        log("ready");
    });
}

fn log(text: &str) {
    set_up();
    println!("{text}");
}

// The set-up logs, and logging waits for the set-up.
fn main() {
    log("started");
}
