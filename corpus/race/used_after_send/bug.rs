use std::sync::mpsc::{self, Receiver};
use std::thread;

struct Packet {
    sequence: u32,
    payload: [u8; 16],
}

struct Handle(*mut Packet);

unsafe impl Send for Handle {}

fn transmit(packets: Receiver<Handle>) -> u32 {
    packets
        .iter()
        .map(|Handle(packet)| {
            let packet = unsafe { Box::from_raw(packet) };
            packet.payload.iter().map(|&byte| u32::from(byte)).sum::<u32>() + packet.sequence //~ data-race
        })
        .sum()
}

// The packet is numbered after it was handed over.
fn main() {
    let (queue, packets) = mpsc::channel();
    let driver = thread::spawn(move || transmit(packets));
    for sequence in 0..2 {
        let packet = Box::into_raw(Box::new(Packet { sequence: 0, payload: [1; 16] }));
        queue.send(Handle(packet)).unwrap();
        unsafe { (*packet).sequence = sequence }; //~ data-race
    }
    drop(queue);
    println!("{}", driver.join().unwrap());
}
