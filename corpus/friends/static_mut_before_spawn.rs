use std::ptr::{addr_of, addr_of_mut};
use std::thread;

static mut TABLE: [u32; 256] = [0; 256];
static mut VERBOSE: bool = false;

fn init(polynomial: u32) {
    let table = addr_of_mut!(TABLE);
    for n in 0..256 {
        let mut value = n as u32;
        for _ in 0..8 {
            value = if value & 1 == 1 { polynomial ^ (value >> 1) } else { value >> 1 };
        }
        unsafe { (*table)[n] = value };
    }
    unsafe { VERBOSE = polynomial == 0 };
}

fn crc(bytes: &[u8]) -> u32 {
    let table = unsafe { &*addr_of!(TABLE) };
    let step = |crc: u32, &byte: &u8| table[usize::from(crc as u8 ^ byte)] ^ (crc >> 8);
    let result = !bytes.iter().fold(!0, step);
    if unsafe { VERBOSE } {
        eprintln!("{result:08x}");
    }
    result
}

// The tables are written before the first thread starts and after the last one has ended.
fn main() {
    init(0xedb8_8320);
    let threads = [&b"hello"[..], b"world"].map(|bytes| thread::spawn(move || crc(bytes)));
    let sums = threads.map(|thread| thread.join().unwrap());
    init(0x82f6_3b78);
    println!("{:08x} {:08x}", sums[0] ^ sums[1], crc(b"hello"));
}
