use std::mem;
use std::sync::Mutex;

struct Port {
    registers: Mutex<[u8; 4]>,
}

impl Port {
    fn write(&self, index: usize, value: u8) {
        let mut registers = self.registers.lock().unwrap();
        registers[index] = value;
        mem::forget(registers);
    }

    fn read(&self, index: usize) -> u8 {
        self.registers.lock().unwrap()[index] //~ deadlock
    }
}

// The guard is forgotten, so that the lock is never given up.
fn main() {
    let port = Port { registers: Mutex::new([0; 4]) };
    println!("{}", mem::size_of_val(&port) > 4);
    port.write(2, 7);
    println!("{}", port.read(2));
}
