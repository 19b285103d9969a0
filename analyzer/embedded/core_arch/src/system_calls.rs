//! System calls by the instruction `syscall`, in terms of libc's functions. Numbers, and the order of arguments, are those
//! of x86_64 Linux. Where the kernel has another structure than libc, as for `rt_sigaction`, the call is refused as
//! unknown ones are.

use crate::ffi::{c_char, c_int, c_long, c_uint, c_void};

type Any = *mut c_void;
type Text = *const c_char;

#[rustfmt::skip]
unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
    fn syscall(_: c_long, ...) -> c_long;
    fn _exit(_: c_int) -> !;
    fn getcwd(_: Any, _: usize) -> Any;
    fn getrlimit(_: c_int, _: Any) -> c_int;
    fn setrlimit(_: c_int, _: Any) -> c_int;
    fn strlen(_: Text) -> usize;
    fn uname(_: Any) -> c_int;
    fn waitpid(_: c_int, _: Any, _: c_int) -> c_int;
    fn accept(_: c_int, _: Any, _: Any) -> c_int;
    fn accept4(_: c_int, _: Any, _: Any, _: c_int) -> c_int;
    fn access(_: Text, _: c_int) -> c_int;
    fn bind(_: c_int, _: Any, _: c_uint) -> c_int;
    fn chdir(_: Text) -> c_int;
    fn chmod(_: Text, _: c_uint) -> c_int;
    fn chown(_: Text, _: c_uint, _: c_uint) -> c_int;
    fn clock_gettime(_: c_int, _: Any) -> c_int;
    fn close(_: c_int) -> c_int;
    fn connect(_: c_int, _: Any, _: c_uint) -> c_int;
    fn copy_file_range(_: c_int, _: Any, _: c_int, _: Any, _: usize, _: c_uint) -> isize;
    fn creat(_: Text, _: c_uint) -> c_int;
    fn dup(_: c_int) -> c_int;
    fn dup2(_: c_int, _: c_int) -> c_int;
    fn dup3(_: c_int, _: c_int, _: c_int) -> c_int;
    fn epoll_create1(_: c_int) -> c_int;
    fn epoll_ctl(_: c_int, _: c_int, _: c_int, _: Any) -> c_int;
    fn epoll_pwait2(_: c_int, _: Any, _: c_int, _: Any, _: Any) -> c_int;
    fn epoll_wait(_: c_int, _: Any, _: c_int, _: c_int) -> c_int;
    fn eventfd(_: c_uint, _: c_int) -> c_int;
    fn faccessat(_: c_int, _: Text, _: c_int, _: c_int) -> c_int;
    fn fallocate64(_: c_int, _: c_int, _: i64, _: i64) -> c_int;
    fn fchdir(_: c_int) -> c_int;
    fn fchmod(_: c_int, _: c_uint) -> c_int;
    fn fchmodat(_: c_int, _: Text, _: c_uint, _: c_int) -> c_int;
    fn fchown(_: c_int, _: c_uint, _: c_uint) -> c_int;
    fn fchownat(_: c_int, _: Text, _: c_uint, _: c_uint, _: c_int) -> c_int;
    fn fcntl(_: c_int, _: c_int, ...) -> c_int;
    fn fdatasync(_: c_int) -> c_int;
    fn flock(_: c_int, _: c_int) -> c_int;
    fn fstat(_: c_int, _: Any) -> c_int;
    fn fstatat(_: c_int, _: Text, _: Any, _: c_int) -> c_int;
    fn fsync(_: c_int) -> c_int;
    fn ftruncate(_: c_int, _: i64) -> c_int;
    fn getegid() -> c_uint;
    fn geteuid() -> c_uint;
    fn getgid() -> c_uint;
    fn getpeername(_: c_int, _: Any, _: Any) -> c_int;
    fn getpid() -> c_int;
    fn getppid() -> c_int;
    fn getsockname(_: c_int, _: Any, _: Any) -> c_int;
    fn getsockopt(_: c_int, _: c_int, _: c_int, _: Any, _: Any) -> c_int;
    fn getuid() -> c_uint;
    fn inotify_add_watch(_: c_int, _: Text, _: c_uint) -> c_int;
    fn inotify_init1(_: c_int) -> c_int;
    fn inotify_rm_watch(_: c_int, _: c_int) -> c_int;
    fn ioctl(_: c_int, _: usize, ...) -> c_int;
    fn kill(_: c_int, _: c_int) -> c_int;
    fn lchown(_: Text, _: c_uint, _: c_uint) -> c_int;
    fn link(_: Text, _: Text) -> c_int;
    fn linkat(_: c_int, _: Text, _: c_int, _: Text, _: c_int) -> c_int;
    fn listen(_: c_int, _: c_int) -> c_int;
    fn lseek(_: c_int, _: i64, _: c_int) -> i64;
    fn lstat(_: Text, _: Any) -> c_int;
    fn madvise(_: Any, _: usize, _: c_int) -> c_int;
    fn mkdir(_: Text, _: c_uint) -> c_int;
    fn mkdirat(_: c_int, _: Text, _: c_uint) -> c_int;
    fn mmap(_: Any, _: usize, _: c_int, _: c_int, _: c_int, _: i64) -> Any;
    fn mprotect(_: Any, _: usize, _: c_int) -> c_int;
    fn mremap(_: Any, _: usize, _: usize, _: c_int) -> Any;
    fn msync(_: Any, _: usize, _: c_int) -> c_int;
    fn munmap(_: Any, _: usize) -> c_int;
    fn nanosleep(_: Any, _: Any) -> c_int;
    fn openat(_: c_int, _: Text, _: c_int, ...) -> c_int;
    fn pause() -> c_int;
    fn pipe(_: Any) -> c_int;
    fn pipe2(_: Any, _: c_int) -> c_int;
    fn poll(_: Any, _: usize, _: c_int) -> c_int;
    fn ppoll(_: Any, _: usize, _: Any, _: Any) -> c_int;
    fn pread(_: c_int, _: Any, _: usize, _: i64) -> isize;
    fn preadv(_: c_int, _: Any, _: c_int, _: i64) -> isize;
    fn pwrite(_: c_int, _: Any, _: usize, _: i64) -> isize;
    fn pwritev(_: c_int, _: Any, _: c_int, _: i64) -> isize;
    fn read(_: c_int, _: Any, _: usize) -> isize;
    fn readlink(_: Text, _: Any, _: usize) -> isize;
    fn readv(_: c_int, _: Any, _: c_int) -> isize;
    fn recvfrom(_: c_int, _: Any, _: usize, _: c_int, _: Any, _: Any) -> isize;
    fn recvmsg(_: c_int, _: Any, _: c_int) -> isize;
    fn rename(_: Text, _: Text) -> c_int;
    fn renameat(_: c_int, _: Text, _: c_int, _: Text) -> c_int;
    fn rmdir(_: Text) -> c_int;
    fn sched_getaffinity(_: c_int, _: usize, _: Any) -> c_int;
    fn sendmsg(_: c_int, _: Any, _: c_int) -> isize;
    fn sendto(_: c_int, _: Any, _: usize, _: c_int, _: Any, _: c_uint) -> isize;
    fn setsockopt(_: c_int, _: c_int, _: c_int, _: Any, _: c_uint) -> c_int;
    fn shutdown(_: c_int, _: c_int) -> c_int;
    fn socket(_: c_int, _: c_int, _: c_int) -> c_int;
    fn socketpair(_: c_int, _: c_int, _: c_int, _: Any) -> c_int;
    fn stat(_: Text, _: Any) -> c_int;
    fn statx(_: c_int, _: Text, _: c_int, _: c_uint, _: Any) -> c_int;
    fn symlink(_: Text, _: Text) -> c_int;
    fn timerfd_create(_: c_int, _: c_int) -> c_int;
    fn timerfd_gettime(_: c_int, _: Any) -> c_int;
    fn timerfd_settime(_: c_int, _: c_int, _: Any, _: Any) -> c_int;
    fn unlink(_: Text) -> c_int;
    fn unlinkat(_: c_int, _: Text, _: c_int) -> c_int;
    fn utimensat(_: c_int, _: Text, _: Any, _: c_int) -> c_int;
    fn waitid(_: c_int, _: c_uint, _: Any, _: c_int) -> c_int;
    fn write(_: c_int, _: Any, _: usize) -> isize;
    fn writev(_: c_int, _: Any, _: c_int) -> isize;
}

/// What the instruction leaves in `rax`: a result, or an error as a negative number.
pub unsafe fn __system_call(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
    unsafe {
        let before = *__errno_location();
        let result = by_number(number, a, b, c, d, e, f);
        let result = if result == -1 { -(*__errno_location() as isize) } else { result };
        *__errno_location() = before;
        result
    }
}

/// The result of the function of libc for a call: -1 for an error.
#[rustfmt::skip]
unsafe fn by_number(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
    unsafe {
        match number {
            0 => read(a as _, b as _, c as _) as isize,
            1 => write(a as _, b as _, c as _) as isize,
            3 => close(a as _) as isize,
            4 => stat(a as _, b as _) as isize,
            5 => fstat(a as _, b as _) as isize,
            6 => lstat(a as _, b as _) as isize,
            7 => poll(a as _, b as _, c as _) as isize,
            8 => lseek(a as _, b as _, c as _) as isize,
            9 => mmap(a as _, b as _, c as _, d as _, e as _, f as _) as isize,
            10 => mprotect(a as _, b as _, c as _) as isize,
            11 => munmap(a as _, b as _) as isize,
            16 => ioctl(a as _, b as _, c) as isize,
            17 => pread(a as _, b as _, c as _, d as _) as isize,
            18 => pwrite(a as _, b as _, c as _, d as _) as isize,
            19 => readv(a as _, b as _, c as _) as isize,
            20 => writev(a as _, b as _, c as _) as isize,
            21 => access(a as _, b as _) as isize,
            22 => pipe(a as _) as isize,
            25 => mremap(a as _, b as _, c as _, d as _) as isize,
            26 => msync(a as _, b as _, c as _) as isize,
            28 => madvise(a as _, b as _, c as _) as isize,
            32 => dup(a as _) as isize,
            33 => dup2(a as _, b as _) as isize,
            34 => pause() as isize,
            35 => nanosleep(a as _, b as _) as isize,
            39 => getpid() as isize,
            41 => socket(a as _, b as _, c as _) as isize,
            42 => connect(a as _, b as _, c as _) as isize,
            43 => accept(a as _, b as _, c as _) as isize,
            44 => sendto(a as _, b as _, c as _, d as _, e as _, f as _) as isize,
            45 => recvfrom(a as _, b as _, c as _, d as _, e as _, f as _) as isize,
            46 => sendmsg(a as _, b as _, c as _) as isize,
            47 => recvmsg(a as _, b as _, c as _) as isize,
            48 => shutdown(a as _, b as _) as isize,
            49 => bind(a as _, b as _, c as _) as isize,
            50 => listen(a as _, b as _) as isize,
            51 => getsockname(a as _, b as _, c as _) as isize,
            52 => getpeername(a as _, b as _, c as _) as isize,
            53 => socketpair(a as _, b as _, c as _, d as _) as isize,
            54 => setsockopt(a as _, b as _, c as _, d as _, e as _) as isize,
            55 => getsockopt(a as _, b as _, c as _, d as _, e as _) as isize,
            62 => kill(a as _, b as _) as isize,
            72 => fcntl(a as _, b as _, c) as isize,
            73 => flock(a as _, b as _) as isize,
            74 => fsync(a as _) as isize,
            75 => fdatasync(a as _) as isize,
            77 => ftruncate(a as _, b as _) as isize,
            80 => chdir(a as _) as isize,
            81 => fchdir(a as _) as isize,
            82 => rename(a as _, b as _) as isize,
            83 => mkdir(a as _, b as _) as isize,
            84 => rmdir(a as _) as isize,
            85 => creat(a as _, b as _) as isize,
            86 => link(a as _, b as _) as isize,
            87 => unlink(a as _) as isize,
            88 => symlink(a as _, b as _) as isize,
            89 => readlink(a as _, b as _, c as _) as isize,
            90 => chmod(a as _, b as _) as isize,
            91 => fchmod(a as _, b as _) as isize,
            92 => chown(a as _, b as _, c as _) as isize,
            93 => fchown(a as _, b as _, c as _) as isize,
            94 => lchown(a as _, b as _, c as _) as isize,
            102 => getuid() as isize,
            104 => getgid() as isize,
            107 => geteuid() as isize,
            108 => getegid() as isize,
            110 => getppid() as isize,
            204 => sched_getaffinity(a as _, b as _, c as _) as isize,
            228 => clock_gettime(a as _, b as _) as isize,
            232 => epoll_wait(a as _, b as _, c as _, d as _) as isize,
            233 => epoll_ctl(a as _, b as _, c as _, d as _) as isize,
            247 => waitid(a as _, b as _, c as _, d as _) as isize,
            254 => inotify_add_watch(a as _, b as _, c as _) as isize,
            255 => inotify_rm_watch(a as _, b as _) as isize,
            257 => openat(a as _, b as _, c as _, d as c_uint) as isize,
            258 => mkdirat(a as _, b as _, c as _) as isize,
            260 => fchownat(a as _, b as _, c as _, d as _, e as _) as isize,
            262 => fstatat(a as _, b as _, c as _, d as _) as isize,
            263 => unlinkat(a as _, b as _, c as _) as isize,
            264 => renameat(a as _, b as _, c as _, d as _) as isize,
            265 => linkat(a as _, b as _, c as _, d as _, e as _) as isize,
            268 => fchmodat(a as _, b as _, c as _, d as _) as isize,
            269 => faccessat(a as _, b as _, c as _, 0) as isize,
            271 => ppoll(a as _, b as _, c as _, d as _) as isize,
            280 => utimensat(a as _, b as _, c as _, d as _) as isize,
            281 => epoll_wait(a as _, b as _, c as _, d as _) as isize,
            283 => timerfd_create(a as _, b as _) as isize,
            285 => fallocate64(a as _, b as _, c as _, d as _) as isize,
            286 => timerfd_settime(a as _, b as _, c as _, d as _) as isize,
            287 => timerfd_gettime(a as _, b as _) as isize,
            288 => accept4(a as _, b as _, c as _, d as _) as isize,
            290 => eventfd(a as _, b as _) as isize,
            291 => epoll_create1(a as _) as isize,
            292 => dup3(a as _, b as _, c as _) as isize,
            293 => pipe2(a as _, b as _) as isize,
            294 => inotify_init1(a as _) as isize,
            295 => preadv(a as _, b as _, c as _, d as _) as isize,
            296 => pwritev(a as _, b as _, c as _, d as _) as isize,
            326 => copy_file_range(a as _, b as _, c as _, d as _, e as _, f as _) as isize,
            332 => statx(a as _, b as _, c as _, d as _, e as _) as isize,
            439 => faccessat(a as _, b as _, c as _, d as _) as isize,
            441 => epoll_pwait2(a as _, b as _, c as _, d as _, e as _) as isize,
            // The length, where libc has the text.
            79 => if getcwd(a as _, b).is_null() { -1 } else { strlen(a as _) as isize + 1 },
            61 if d == 0 => waitpid(a as _, b as _, c as _) as isize,
            157 if a == PR_GET_AUXV => auxiliary_vector(b as _, c) as isize,
            63 => uname(a as _) as isize,
            231 => _exit(a as _),
            // A time to sleep, not one to wait for.
            230 if b == 0 => nanosleep(c as _, d as _) as isize,
            // A path that no folder precedes.
            267 if a as c_int == AT_FDCWD => readlink(b as _, c as _, d) as isize,
            266 if b as c_int == AT_FDCWD => symlink(a as _, c as _) as isize,
            302 if a == 0 && c == 0 => getrlimit(b as _, d as _) as isize,
            302 if a == 0 && d == 0 => setrlimit(b as _, c as _) as isize,
            316 if e == 0 => renameat(a as _, b as _, c as _, d as _) as isize,
            _ => syscall(number as _, a, b, c, d, e, f) as isize,
        }
    }
}

const AT_FDCWD: c_int = -100;
const PR_GET_AUXV: usize = 0x4155_5856;

/// Writes the auxiliary vector of a process on a processor without optional features, and returns its size.
unsafe fn auxiliary_vector(to: *mut u8, len: usize) -> usize {
    const PAGE_SIZE: usize = 6;
    const CLOCK_TICKS: usize = 17;
    let vector = [PAGE_SIZE, 4096, CLOCK_TICKS, 100, 0, 0];
    let size = crate::mem::size_of_val(&vector);
    unsafe { crate::ptr::copy_nonoverlapping(vector.as_ptr().cast(), to, if len < size { len } else { size }) };
    size
}
