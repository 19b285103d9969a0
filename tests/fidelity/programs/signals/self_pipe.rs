//! The handler writes to a socket from which a thread reads, and to a semaphore for which another one waits.
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc;
use std::thread;

#[repr(C, align(8))]
struct Semaphore([u8; 32]);

unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
    fn getpid() -> i32;
    fn kill(process: i32, number: i32) -> i32;
    fn write(fd: i32, bytes: *const u8, count: usize) -> isize;
    fn sem_init(semaphore: *mut Semaphore, shared: i32, value: u32) -> i32;
    fn sem_post(semaphore: *mut Semaphore) -> i32;
    fn sem_wait(semaphore: *mut Semaphore) -> i32;
    fn sem_trywait(semaphore: *mut Semaphore) -> i32;
    fn sem_getvalue(semaphore: *mut Semaphore, value: *mut i32) -> i32;
}

static FD: AtomicI32 = AtomicI32::new(-1);
static mut SEMAPHORE: Semaphore = Semaphore([0; 32]);

extern "C" fn handler(number: i32) {
    let byte = number as u8;
    unsafe {
        write(FD.load(Ordering::Relaxed), &byte, 1);
        sem_post(&raw mut SEMAPHORE);
    }
}

fn main() {
    let (mut reader, writer) = UnixStream::pair().unwrap();
    FD.store(writer.as_raw_fd(), Ordering::Relaxed);
    unsafe { sem_init(&raw mut SEMAPHORE, 0, 0) };
    for number in [2, 15] {
        unsafe { signal(number, handler as *const () as usize) };
    }
    let (told, heard) = mpsc::channel();
    let listener = thread::spawn(move || {
        let mut byte = [0];
        loop {
            reader.read_exact(&mut byte).unwrap();
            told.send(byte[0]).unwrap();
            if byte[0] == 15 {
                return;
            }
        }
    });
    let counter = thread::spawn(|| {
        for _ in 0..3 {
            unsafe { sem_wait(&raw mut SEMAPHORE) };
        }
        "three"
    });
    for number in [2, 2, 15] {
        unsafe { kill(getpid(), number) };
        println!("{}", heard.recv().unwrap());
    }
    listener.join().unwrap();
    println!("{}", counter.join().unwrap());
    let mut value = 7;
    unsafe { sem_getvalue(&raw mut SEMAPHORE, &mut value) };
    println!("{value} {}", unsafe { sem_trywait(&raw mut SEMAPHORE) });
}
