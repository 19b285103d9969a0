//! Files in memory: shared and private mappings, what `read` and `write` see of them, and pages that move.

use std::ffi::c_void;
use std::fs::{File, OpenOptions};
use std::io::{Error, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

unsafe extern "C" {
    fn mmap(addr: *mut c_void, len: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut c_void;
    fn munmap(addr: *mut c_void, len: usize) -> i32;
    fn mremap(addr: *mut c_void, len: usize, new_len: usize, flags: i32) -> *mut c_void;
    fn msync(addr: *mut c_void, len: usize, flags: i32) -> i32;
    fn madvise(addr: *mut c_void, len: usize, advice: i32) -> i32;
    fn mprotect(addr: *mut c_void, len: usize, protection: i32) -> i32;
}

const READ: i32 = 1;
const READ_WRITE: i32 = 3;
const SHARED: i32 = 1;
const PRIVATE: i32 = 2;
const FIXED: i32 = 0x10;
const ANONYMOUS: i32 = 0x20;
const PAGE: usize = 4096;

struct Map {
    at: *mut u8,
    len: usize,
}

unsafe impl Sync for Map {}

impl Map {
    fn new(file: &File, len: usize, protection: i32, flags: i32, offset: i64) -> Result<Map, i32> {
        let at = unsafe { mmap(null_mut(), len, protection, flags, file.as_raw_fd(), offset) };
        if at.addr() == usize::MAX {
            return Err(Error::last_os_error().raw_os_error().unwrap());
        }
        Ok(Map { at: at.cast(), len })
    }

    fn bytes(&self, from: usize, to: usize) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.at.add(from), to - from) }
    }

    fn set(&self, at: usize, bytes: &[u8]) {
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at.add(at), bytes.len()) }
    }

    fn sync(&self) -> i32 {
        unsafe { msync(self.at.cast(), self.len, 4) }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        assert_eq!(unsafe { munmap(self.at.cast(), self.len) }, 0);
    }
}

fn text(file: &mut File) -> String {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}

fn main() {
    let path = std::env::temp_dir().join(format!("mapped_files_{}", std::process::id()));
    let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(&path).unwrap();
    file.write_all(b"hello, world").unwrap();

    let shared = Map::new(&file, 12, READ_WRITE, SHARED, 0).unwrap();
    println!("{:?} {}", std::str::from_utf8(shared.bytes(0, 12)), shared.at.addr() % PAGE);
    println!("{:?}", shared.bytes(12, 20));
    shared.set(0, b"J");
    println!("{} {}", text(&mut file), shared.sync());
    file.seek(SeekFrom::Start(7)).unwrap();
    file.write_all(b"there").unwrap();
    println!("{:?}", std::str::from_utf8(shared.bytes(0, 12)));

    let second = Map::new(&file, PAGE, READ, SHARED, 0).unwrap();
    let private = Map::new(&file, 12, READ_WRITE, PRIVATE, 0).unwrap();
    private.set(0, b"private");
    shared.set(5, b";");
    println!("{:?} {:?}", std::str::from_utf8(second.bytes(0, 12)), std::str::from_utf8(private.bytes(0, 7)));
    println!("{}", text(&mut file));

    // It grows and shrinks below the mapping.
    file.set_len(3 * PAGE as u64).unwrap();
    let whole = Map::new(&file, 3 * PAGE, READ_WRITE, SHARED, 0).unwrap();
    whole.set(2 * PAGE, b"far");
    let late = Map::new(&file, PAGE, READ_WRITE, SHARED, 2 * PAGE as i64).unwrap();
    println!("{:?}", std::str::from_utf8(late.bytes(0, 3)));
    late.set(0, b"F");
    println!("{:?} {}", std::str::from_utf8(whole.bytes(2 * PAGE, 2 * PAGE + 3)), text(&mut file).len());
    file.set_len(5).unwrap();
    println!("{:?} {}", second.bytes(3, 8), text(&mut file));
    file.set_len(8).unwrap();
    println!("{:?}", second.bytes(3, 8));

    // Again at the same address, with more.
    let again = unsafe { mmap(whole.at.cast(), 3 * PAGE, READ_WRITE, SHARED | FIXED, file.as_raw_fd(), 0) };
    println!("{}", again.cast() == whole.at);

    // Threads that meet in a file.
    file.set_len(PAGE as u64).unwrap();
    let count = unsafe { &*whole.at.add(64).cast::<AtomicU32>() };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| count.fetch_add(5, Ordering::Relaxed));
        }
    });
    let mut four = [0; 4];
    file.seek(SeekFrom::Start(64)).unwrap();
    file.read_exact(&mut four).unwrap();
    println!("{}", u32::from_ne_bytes(four));

    // A file without a name lives on in memory.
    drop((second, private, late, shared));
    std::fs::remove_file(&path).unwrap();
    drop(file);
    println!("{:?}", std::str::from_utf8(whole.bytes(0, 5)));
    drop(whole);

    // Errors.
    let path = std::env::temp_dir().join(format!("mapped_files_only_read_{}", std::process::id()));
    std::fs::write(&path, "short").unwrap();
    let only_read = File::open(&path).unwrap();
    println!("{:?}", Map::new(&only_read, 5, READ_WRITE, SHARED, 0).map(|it| it.len));
    println!("{:?}", Map::new(&only_read, 5, READ_WRITE, PRIVATE, 0).map(|it| it.len));
    println!("{:?}", Map::new(&only_read, 0, READ, SHARED, 0).map(|it| it.len));
    println!("{:?}", Map::new(&only_read, 5, READ, SHARED, 5).map(|it| it.len));
    println!("{:?}", Map::new(&only_read, 5, READ, 0, 0).map(|it| it.len));
    let only_write = OpenOptions::new().write(true).open(&path).unwrap();
    println!("{:?}", Map::new(&only_write, 5, READ, SHARED, 0).map(|it| it.len));
    let folder = File::open(std::env::temp_dir()).unwrap();
    println!("{:?}", Map::new(&folder, 5, READ, SHARED, 0).map(|it| it.len));
    println!("{}", unsafe { mmap(null_mut(), 5, READ, SHARED, 987, 0) }.addr() == usize::MAX);
    println!("{:?}", Error::last_os_error());
    std::fs::remove_file(&path).unwrap();

    // Pages that move, and pages that are not needed any more.
    let pages = unsafe { mmap(null_mut(), PAGE, READ_WRITE, PRIVATE | ANONYMOUS, -1, 0) }.cast::<u8>();
    unsafe { pages.add(4000).write(9) };
    let pages = unsafe { mremap(pages.cast(), PAGE, 4 * PAGE, 1) }.cast::<u8>();
    println!("{} {}", unsafe { *pages.add(4000) }, unsafe { *pages.add(4 * PAGE - 1) });
    println!("{}", unsafe { madvise(pages.cast(), PAGE, 4) });
    println!("{}", unsafe { *pages.add(4000) });
    println!("{} {}", unsafe { madvise(pages.add(1).cast(), PAGE, 4) }, unsafe { msync(pages.add(1).cast(), 1, 4) });
    println!("{}", unsafe { mprotect(pages.cast(), 4 * PAGE, READ_WRITE) });
    println!("{}", unsafe { munmap(pages.cast(), 4 * PAGE) });
}
