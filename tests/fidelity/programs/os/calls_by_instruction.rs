//! System calls by the instruction for them, as crates without libc make them.

use std::arch::asm;
use std::ffi::CStr;
use std::mem::MaybeUninit;

const READ: usize = 0;
const WRITE: usize = 1;
const CLOSE: usize = 3;
const MMAP: usize = 9;
const MUNMAP: usize = 11;
const PIPE: usize = 22;
const GETPID: usize = 39;
const GETCWD: usize = 79;
const EXIT_GROUP: usize = 231;
const OPENAT: usize = 257;

/// The result in another variable than the number.
unsafe fn call1(number: usize, a: usize) -> isize {
    let result;
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") a,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack, preserves_flags)
        );
    }
    result
}

/// The same variable, and pointers.
unsafe fn call3<T>(number: usize, a: isize, b: *mut T, c: usize) -> isize {
    let mut rax = number as isize;
    unsafe {
        asm!("syscall", inout("rax") rax, in("rdi") a, in("rsi") b, in("rdx") c, out("rcx") _, out("r11") _);
    }
    rax
}

unsafe fn call6(number: usize, args: [usize; 6]) -> usize {
    let [a, b, c, d, e, f] = args;
    let result: usize;
    unsafe {
        asm!(
            "syscall",
            in("rax") number, in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rax") result, lateout("rcx") _, lateout("r11") _,
        );
    }
    result
}

fn exit(status: i32) -> ! {
    unsafe { asm!("syscall", "ud2", in("rax") EXIT_GROUP, in("rdi") status as usize, options(nostack, noreturn)) }
}

fn say(text: &str) {
    let written = unsafe { call3(WRITE, 1, text.as_ptr().cast_mut(), text.len()) };
    assert_eq!(written, text.len() as isize);
}

fn main() {
    say("first\n");
    let root = std::env::temp_dir().join("tsvd-fidelity-calls");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir(&root).unwrap();
    std::env::set_current_dir(&root).unwrap();
    unsafe {
        let mut ends = [0_i32; 2];
        assert_eq!(call1(PIPE, ends.as_mut_ptr() as usize), 0);
        let [reader, writer] = ends.map(|it| it as isize);
        say(&format!("sent {}\n", call3(WRITE, writer, b"some words".as_ptr().cast_mut(), 10)));
        assert_eq!(call1(CLOSE, writer as usize), 0);
        let mut bytes = [0_u8; 4];
        loop {
            let count = call3(READ, reader, bytes.as_mut_ptr(), bytes.len());
            if count == 0 {
                break;
            }
            say(&format!("read {count}: {}\n", String::from_utf8_lossy(&bytes[..count as usize])));
        }
        // An error is the result; `errno` stays.
        let before = std::io::Error::last_os_error().raw_os_error();
        say(&format!("closed twice: {}\n", call1(CLOSE, writer as usize)));
        let missing = c"missing".as_ptr().cast_mut();
        say(&format!("missing: {}\n", call3(OPENAT, -100, missing, 0)));
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), before);
        assert_eq!(call1(GETPID, 0), std::process::id() as isize);

        let mut folder = MaybeUninit::<[u8; 4096]>::uninit();
        let len = call3(GETCWD, folder.as_mut_ptr() as isize, 4096 as *mut u8, 0);
        let text = CStr::from_ptr(folder.as_ptr().cast());
        assert_eq!(len as usize, text.count_bytes() + 1);
        assert_eq!(text.to_str().unwrap(), std::env::current_dir().unwrap().to_str().unwrap());
        let made = call3(OPENAT, -100, c"made".as_ptr().cast_mut(), 0o101);
        assert_eq!((call3(WRITE, made, b"text".as_ptr().cast_mut(), 4), call1(CLOSE, made as usize)), (4, 0));
        say(&format!("made: {}\n", std::fs::metadata("made").unwrap().len()));
        std::fs::remove_dir_all(&root).unwrap();

        let page = call6(MMAP, [0, 8192, 3, 0x22, usize::MAX, 0]);
        let numbers = std::slice::from_raw_parts_mut(page as *mut u64, 1024);
        numbers[1023] = 7;
        say(&format!("mapped: {} {}\n", page % 4096, numbers.iter().sum::<u64>()));
        assert_eq!(call6(MUNMAP, [page, 8192, 0, 0, 0, 0]), 0);
    }
    exit(3)
}
