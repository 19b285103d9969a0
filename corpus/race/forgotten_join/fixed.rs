use std::thread;

static mut TABLE: [u16; 4] = [0; 4];

fn build() {
    for i in 0..4 {
        unsafe { TABLE[i] = (i * i) as u16 }
    }
}

// The handle is dropped, so nothing waits for the table to be built.
fn main() {
    thread::spawn(build).join().unwrap();
    let last = unsafe { TABLE[3] };
    println!("{}", last == 0 || last == 9);
}
