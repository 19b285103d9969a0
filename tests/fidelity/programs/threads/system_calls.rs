use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::Arc;
use std::thread;

unsafe extern "C" {
    fn syscall(number: i64, ...) -> i64;
    fn __errno_location() -> *mut i32;
}

struct Gate(AtomicI32);

impl Gate {
    fn wait(&self) {
        while self.0.load(Ordering::Acquire) == 0 {
            let result = unsafe { syscall(202, &self.0 as *const AtomicI32, 128, 0_i32, std::ptr::null::<()>()) };
            assert!(result == 0 || unsafe { *__errno_location() } == 11);
        }
    }

    fn open(&self) {
        self.0.store(1, Ordering::Release);
        let woken = unsafe { syscall(202, &self.0 as *const AtomicI32, 129, i32::MAX) };
        assert!(woken <= 1);
    }
}

fn main() {
    let gate = Arc::new(Gate(AtomicI32::new(0)));
    let other = gate.clone();
    let waiter = thread::spawn(move || other.wait());
    gate.open();
    waiter.join().unwrap();
    let timeout = [0_i64, 1000];
    let result = unsafe { syscall(202, &gate.0 as *const AtomicI32, 128, 1_i32, timeout.as_ptr()) };
    println!("{result} {}", unsafe { *__errno_location() });
    let result = unsafe { syscall(202, &gate.0 as *const AtomicI32, 128, 7_i32, timeout.as_ptr()) };
    println!("{result} {} {:?}", unsafe { *__errno_location() }, std::io::Error::last_os_error().kind());
    let mut bytes = [0_u8; 16];
    println!("{} {}", unsafe { syscall(318, bytes.as_mut_ptr(), bytes.len(), 0_u32) }, bytes.iter().any(|byte| *byte != 0));
    unsafe { *__errno_location() = 2 };
    println!("{:?}", std::io::Error::last_os_error().kind());
    println!("{}", unsafe { syscall(24) });
}
