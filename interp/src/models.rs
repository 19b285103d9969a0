//! Native models: bodies of functions that the machine executes natively (decision 5: where std ends and models begin).
//! Each has an entry in [`MODELS`]; only the analyzer knows the path of the function that it replaces.
//!
//! Arguments and results are in memory layout, as in code. A model that cannot continue blocks its thread and is
//! retried from the start when the thread wakes; the thread's `progress` says how far it came.
//!
//! A model does not panic, whatever its arguments and constants are: it returns a fault or a system error, or leaves
//! the work to the real body.

#![warn(clippy::indexing_slicing)]

mod alloc;
mod calendar;
mod channel;
mod environment;
mod fast;
mod files;
mod lock;
mod os;
mod panic;
mod platform;
mod process;
mod processes;
mod semaphore;
mod syscall;
mod thread;
mod wait;

use crate::ir::{Code, ModelId, Slot};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{Fault, MAX_ALLOCATION};
use crate::sched::PointKind;
use crate::thread::Wait;
pub(crate) use panic::message as message_of_panic;

/// A row of the table of models.
#[derive(Debug)]
pub struct ModelDecl {
    /// Its name in the analyzer's table.
    pub name: &'static str,
    /// Parameters and result in Rust's notation, including zero-sized ones.
    pub signature: &'static str,
    /// The meaning of its constants.
    pub consts: &'static str,
    /// The kind of synchronisation, if any.
    pub point: Option<PointKind>,
    /// Whether it handles unknown arguments itself.
    tolerant: bool,
    run: fn(&mut Call<'_, '_>) -> Result<Outcome, Stop>,
}

/// How a model ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// It returned.
    Done,
    /// It waits, at most until this logical time.
    Block(Wait, Option<u64>),
    /// Another frame continues: it unwinds, or calls.
    Entered(Flow),
    /// Only for fast bodies: it had no visible effect, and the real body must run.
    Real,
}

const fn model(
    name: &'static str,
    signature: &'static str,
    point: Option<PointKind>,
    run: fn(&mut Call<'_, '_>) -> Result<Outcome, Stop>,
) -> ModelDecl {
    ModelDecl { name, signature, consts: "", point, tolerant: false, run }
}

const fn tolerant(decl: ModelDecl) -> ModelDecl {
    ModelDecl { tolerant: true, ..decl }
}

const fn consts(consts: &'static str, decl: ModelDecl) -> ModelDecl {
    ModelDecl { consts, ..decl }
}

const FILLED: &str =
    "what is written to: of each a parameter's index, the size of what it points to, and whether there may be several";
const FOREIGN: &str = "its function and its cause; then as for `open`";
const DURATION: &str = "offsets of `Duration`'s seconds (u64) and nanoseconds (u32); without them 0 and 8";

/// Models that allocate. There is room for a size that is not known.
const ALLOCATING: [&str; 4] = ["alloc", "alloc_zeroed", "calloc", "realloc"];

/// All models; a [`ModelId`] is an index.
#[rustfmt::skip]
pub static MODELS: &[ModelDecl] = &[
    model("alloc", "(size: usize, align: usize) -> *mut u8", None, alloc::alloc),
    model("alloc_zeroed", "(size: usize, align: usize) -> *mut u8", None, alloc::alloc_zeroed),
    model("calloc", "(count: usize, size: usize) -> *mut u8", None, alloc::calloc),
    model("dealloc", "(ptr: *mut u8, size: usize, align: usize)", None, alloc::dealloc),
    model("free", "(ptr: *mut u8)", None, alloc::free),
    model("realloc", "(ptr: *mut u8, old_size: usize, align: usize, new_size: usize) -> *mut u8", None, alloc::realloc),

    model("mmap", "(addr: *mut (), len: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut ()", None, |call| call.system(files::mapped::mmap)),
    model("munmap", "(addr: *mut (), len: usize) -> i32", None, |call| call.system(files::mapped::munmap)),
    model("mremap", "(addr: *mut (), len: usize, new_len: usize, flags: i32) -> *mut ()", None, |call| call.system(files::mapped::mremap)),
    model("msync", "(addr: *mut (), len: usize, flags: i32) -> i32", None, |call| call.system(files::mapped::msync)),
    model("madvise", "(addr: *mut (), len: usize, advice: i32) -> i32", None, |call| call.system(files::mapped::madvise)),
    model("sysconf", "(name: i32) -> i64", None, process::sysconf),

    model("mutex_lock", "(&Mutex)", Some(PointKind::Lock), lock::mutex_lock),
    model("mutex_try_lock", "(&Mutex) -> bool", Some(PointKind::Lock), lock::mutex_try_lock),
    model("mutex_unlock", "(&Mutex)", Some(PointKind::Unlock), lock::unlock),
    model("rwlock_read", "(&RwLock)", Some(PointKind::Lock), lock::read),
    model("rwlock_try_read", "(&RwLock) -> bool", Some(PointKind::Lock), lock::try_read),
    model("rwlock_read_unlock", "(&RwLock)", Some(PointKind::Unlock), lock::unlock),
    model("rwlock_write", "(&RwLock)", Some(PointKind::Lock), lock::write),
    model("rwlock_try_write", "(&RwLock) -> bool", Some(PointKind::Lock), lock::try_write),
    model("rwlock_write_unlock", "(&RwLock)", Some(PointKind::Unlock), lock::unlock),
    model("rwlock_downgrade", "(&RwLock)", Some(PointKind::Unlock), lock::downgrade),

    model("condvar_notify_one", "(&Condvar)", Some(PointKind::Notify), wait::notify_one),
    model("condvar_notify_all", "(&Condvar)", Some(PointKind::Notify), wait::notify_all),
    model("condvar_wait", "(&Condvar, &Mutex)", Some(PointKind::Wait), wait::condvar_wait),
    consts(DURATION, model("condvar_wait_timeout", "(&Condvar, &Mutex, Duration) -> bool", Some(PointKind::Wait), wait::condvar_wait_timeout)),
    consts(DURATION, model("futex_wait", "(&AtomicU32, expected: u32, Option<Duration>) -> bool", Some(PointKind::Wait), wait::futex_wait)),
    model("futex_wake", "(&AtomicU32) -> bool", Some(PointKind::Notify), wait::futex_wake),
    model("syscall", "(number: i64, ..) -> i64: -1 if it fails", Some(PointKind::Wait), syscall::syscall),
    model("futex_wake_all", "(&AtomicU32)", Some(PointKind::Notify), wait::futex_wake_all),
    model("park", "(&Parker)", Some(PointKind::Park), wait::park),
    consts(DURATION, model("park_timeout", "(&Parker, Duration)", Some(PointKind::Park), wait::park_timeout)),
    model("unpark", "(&Parker)", Some(PointKind::Unpark), wait::unpark),

    model("channel_send", "(channel: *const (), capacity: usize, message: *const u8, size: usize, nanos: u64) -> u8: done, not in time, disconnected", Some(PointKind::Send), channel::send),
    model("channel_receive", "(channel: *const (), capacity: usize, message: *mut u8, size: usize, nanos: u64) -> u8", Some(PointKind::Receive), channel::receive),
    model("channel_discard", "(channel: *const (), message: *mut u8, size: usize) -> u8", None, channel::discard),
    model("channel_disconnect", "(channel: *const ()) -> bool", Some(PointKind::Notify), channel::disconnect),
    model("channel_len", "(channel: *const ()) -> usize", None, channel::len),

    tolerant(model("thread_spawn", "(func: fn(*mut ()), data: *mut ()) -> u64", Some(PointKind::Spawn), thread::spawn)),
    tolerant(model("pthread_create", "(handle: *mut u64, attr: *const (), func: fn(*mut ()) -> *mut (), data: *mut ()) -> i32", Some(PointKind::Spawn), thread::pthread_create)),
    model("pthread_attr_init", "(attr: *mut ()) -> i32", None, thread::attr_init),
    model("pthread_attr_setstacksize", "(attr: *mut (), size: usize) -> i32", None, thread::attr_set_stack_size),
    model("thread_join", "(handle: u64, ..) -> () or i32 (also `pthread_join`)", Some(PointKind::Join), thread::join),
    model("thread_detach", "(handle: u64) -> () or i32 (also `pthread_detach`)", None, thread::detach),
    model("thread_id", "() -> u64", None, thread::id),
    model("thread_set_name", "(name: &CStr): of the current thread", None, thread::set_name),
    model("yield_now", "() -> () or i32 (also `sched_yield`)", Some(PointKind::Yield), thread::yield_now),
    model("nanosleep", "(*const timespec, *mut timespec) -> i32", Some(PointKind::Sleep), thread::nanosleep),
    model("sleep", "(secs: u64, nanos: u32)", Some(PointKind::Sleep), thread::sleep),
    consts(DURATION, model("sleep_duration", "(Duration)", Some(PointKind::Sleep), thread::sleep_duration)),

    tolerant(model("rust_panic", "(payload: Box<dyn Any + Send>) -> u32", None, panic::rust_panic)),
    model("main_panicked", "(text: *const u8, len: usize): null if it is no text", None, process::main_panicked),
    model("panic_cleanup", "(exception: *mut u8) -> *mut (dyn Any + Send)", None, panic::panic_cleanup),

    tolerant(model("exit", "(code: i32) -> !", None, process::exit)),
    tolerant(model("exit_now", "(code: i32) -> !", None, process::exit_now)),
    model("abort", "() -> !", None, process::abort),
    model("getpid", "() -> i32", None, processes::numbers::getpid),
    model("gettid", "() -> i32", None, processes::numbers::gettid),
    tolerant(model("getppid", "() -> i32", None, processes::numbers::getppid)),
    model("posix_spawn", "(number: *mut i32, name: *const c_char, actions: *const (), attributes: *const (), arguments: *const *const c_char, variables: *const *const c_char) -> i32: the error; null for the variables of the caller (also `posix_spawnp`)", None, processes::spawn::posix_spawn),
    model("exec", "(name: *const c_char, arguments: *const *const c_char, variables: *const *const c_char) -> i32 (also `execvp`)", None, processes::spawn::exec),
    model("spawn_actions_init", "(actions: *mut ()) -> i32", None, processes::spawn::actions_init),
    model("spawn_actions_destroy", "(actions: *mut ()) -> i32", None, processes::spawn::actions_destroy),
    model("spawn_actions_adddup2", "(actions: *mut (), from: i32, to: i32) -> i32", None, processes::spawn::actions_add_dup2),
    model("spawn_actions_addclose", "(actions: *mut (), descriptor: i32) -> i32", None, processes::spawn::actions_add_close),
    model("spawn_actions_addopen", "(actions: *mut (), descriptor: i32, path: *const c_char, flags: i32, mode: u32) -> i32", None, processes::spawn::actions_add_open),
    model("spawn_actions_addchdir", "(actions: *mut (), path: *const c_char) -> i32", None, processes::spawn::actions_add_chdir),
    model("waitpid", "(number: i32, status: *mut i32, options: i32) -> i32", None, processes::wait::waitpid),
    model("waitid", "(kind: i32, number: u32, information: *mut siginfo_t, options: i32) -> i32", None, processes::wait::waitid),
    model("pidfd_open", "(number: i32, flags: u32) -> i32", None, |call| call.system(|call| { let (number, flags) = (call.int(0)?, call.arg(1)? as u32); processes::wait::pidfd_open(call, number, flags) })),
    model("kill", "(number: i32, signal: i32) -> i32", None, processes::signals::kill),
    model("raise", "(signal: i32) -> i32", None, |call| call.system(processes::signals::raise)),
    model("pthread_kill", "(thread: u64, signal: i32) -> i32: the error", None, |call| call.direct(processes::signals::pthread_kill)),
    model("sigprocmask", "(how: i32, new: *const sigset_t, old: *mut sigset_t) -> i32", None, |call| call.system(processes::signals::sigmask)),
    model("pthread_sigmask", "(how: i32, new: *const sigset_t, old: *mut sigset_t) -> i32: the error", None, |call| call.direct(processes::signals::sigmask)),
    model("sigpending", "(set: *mut sigset_t) -> i32", None, |call| call.system(processes::signals::sigpending)),
    model("sigwait", "(set: *const sigset_t, signal: *mut i32) -> i32", Some(PointKind::Wait), processes::signals::sigwait),
    model("sigtimedwait", "(set: *const sigset_t, information: *mut siginfo_t, ..: *const timespec) -> i32 (also `sigwaitinfo`)", Some(PointKind::Wait), |call| call.system(processes::signals::sigtimedwait)),
    model("pause", "() -> i32", Some(PointKind::Wait), |call| call.system(processes::signals::pause)),
    model("sigismember", "(set: *const sigset_t, signal: i32) -> i32", None, |call| call.system(processes::signals::is_member)),
    model("sem_init", "(semaphore: *mut sem_t, shared: i32, value: u32) -> i32", None, |call| call.system(semaphore::init)),
    model("sem_post", "(semaphore: *mut sem_t) -> i32", Some(PointKind::Notify), |call| call.system(semaphore::post)),
    model("sem_wait", "(semaphore: *mut sem_t) -> i32", Some(PointKind::Wait), |call| call.system(semaphore::wait)),
    model("sem_timedwait", "(semaphore: *mut sem_t, time: *const timespec) -> i32", Some(PointKind::Wait), |call| call.system(semaphore::timed_wait)),
    model("sem_trywait", "(semaphore: *mut sem_t) -> i32", Some(PointKind::Wait), |call| call.system(semaphore::try_wait)),
    model("sem_getvalue", "(semaphore: *mut sem_t, value: *mut i32) -> i32", None, |call| call.system(semaphore::value)),
    model("sem_destroy", "(semaphore: *mut sem_t) -> i32", None, semaphore::destroy),
    model("sigemptyset", "(set: *mut sigset_t) -> i32", None, |call| processes::signals::set_all(call, 0)),
    model("sigfillset", "(set: *mut sigset_t) -> i32", None, |call| processes::signals::set_all(call, 0xff)),
    model("sigaddset", "(set: *mut sigset_t, signal: i32) -> i32", None, |call| processes::signals::set_one(call, true)),
    model("sigdelset", "(set: *mut sigset_t, signal: i32) -> i32", None, |call| processes::signals::set_one(call, false)),
    model("argc", "() -> isize", None, environment::argc),
    model("argv", "() -> *const *const c_char", None, environment::argv),
    model("getenv", "(name: *const c_char) -> *mut c_char", None, environment::getenv),
    model("setenv", "(name: *const c_char, value: *const c_char, overwrite: i32) -> i32", None, environment::setenv),
    model("unsetenv", "(name: *const c_char) -> i32", None, environment::unsetenv),
    model("makes_up", "(can_parse: i32) -> i32: whether inputs are made up", None, environment::makes_up),
    model("chosen", "(label: *const u8, len: usize, count: u64) -> u64: what a harness does", None, environment::chosen),
    model("chosen_call", "(label: *const u8, len: usize, count: u64) -> u64: the call that a harness makes", Some(PointKind::Call), environment::chosen_call),
    model("call_ended", "(): a thread of a harness has ended its call", None, environment::call_ended),
    model("half_way", "(drops: i32): what a harness does to a future that is not ready", Some(PointKind::Call), environment::half_way),
    model("number", "(label: *const u8, len: usize) -> u64: what nobody in particular gives", None, environment::number),
    model("uname", "(system: *mut utsname) -> i32", None, |call| call.system(platform::uname)),
    model("gethostname", "(name: *mut c_char, size: usize) -> i32", None, |call| call.system(platform::gethostname)),
    model("getrlimit", "(resource: i32, limits: *mut rlimit) -> i32", None, |call| call.system(platform::getrlimit)),
    model("user", "() -> u32", None, environment::user),
    model("has_option", "(label: *const u8, len: usize, options: u32) -> i32", None, environment::has_option),
    model("text", "(label: *const u8, len: usize, written: *mut usize) -> *const u8", None, environment::text),
    model("name", "(label: *const u8, len: usize, written: *mut usize) -> *const u8", None, environment::name),
    model("environ", "() -> *const *const c_char", None, environment::environ),
    tolerant(consts(FOREIGN, model("foreign", "(..) -> T", None, files::foreign))),

    tolerant(consts(FILLED, model("descriptor", "(..) -> i32: a new one of which nothing is known, or -1", None, files::descriptor))),
    tolerant(consts(FILLED, model("act", "(..) -> i32 or isize: 0 or -1", None, files::act))),
    model("open", "(path: *const c_char, flags: i32, mode: u32) -> i32", None, |call| call.system(files::descriptors::open)),
    model("openat", "(folder: i32, path: *const c_char, flags: i32, mode: u32) -> i32", None, |call| call.system(files::descriptors::openat)),
    model("creat", "(path: *const c_char, mode: u32) -> i32", None, |call| call.system(files::descriptors::creat)),
    model("close", "(fd: i32) -> i32", None, |call| call.system(files::descriptors::close)),
    model("dup", "(fd: i32) -> i32", None, |call| call.system(files::descriptors::dup)),
    model("dup2", "(from: i32, to: i32) -> i32 (also `dup3`)", None, |call| call.system(files::descriptors::dup2)),
    model("fcntl", "(fd: i32, command: i32, argument) -> i32", None, |call| call.system(files::descriptors::fcntl)),
    model("pipe", "(descriptors: *mut i32) -> i32 (also `pipe2`)", None, |call| call.system(files::pipe::pipe)),
    model("socketpair", "(domain: i32, kind: i32, protocol: i32, descriptors: *mut i32) -> i32", None, |call| call.system(os::connect::socketpair)),
    model("poll", "(descriptors: *mut pollfd, count: u64, milliseconds: i32) -> i32", None, |call| call.system(os::poll::poll)),
    model("ppoll", "(descriptors: *mut pollfd, count: u64, timeout: *const timespec, mask: *const ()) -> i32", None, |call| call.system(os::poll::ppoll)),
    model("select", "(count: i32, reads: *mut fd_set, writes: *mut fd_set, exceptions: *mut fd_set, timeout: *mut timeval) -> i32", None, |call| call.system(os::poll::select)),
    model("pselect", "(count: i32, *mut fd_set, *mut fd_set, *mut fd_set, timeout: *const timespec, mask: *const ()) -> i32", None, |call| call.system(os::poll::pselect)),
    model("epoll_create", "(size: i32) -> i32", None, |call| call.system(os::epoll::epoll_create)),
    model("epoll_create1", "(flags: i32) -> i32", None, |call| call.system(os::epoll::epoll_create1)),
    model("epoll_ctl", "(epoll: i32, operation: i32, fd: i32, event: *mut epoll_event) -> i32", None, |call| call.system(os::epoll::epoll_ctl)),
    model("epoll_wait", "(epoll: i32, events: *mut epoll_event, count: i32, milliseconds: i32, ..) -> i32 (also `epoll_pwait`)", None, |call| call.system(os::epoll::epoll_wait)),
    model("epoll_pwait2", "(epoll: i32, events: *mut epoll_event, count: i32, timeout: *const timespec, mask: *const ()) -> i32", None, |call| call.system(os::epoll::epoll_pwait2)),
    model("eventfd", "(value: u32, flags: i32) -> i32", None, |call| call.system(os::counters::eventfd)),
    model("inotify_init", "() -> i32", None, |call| call.system(|call| os::counters::inotify_init(call, 0))),
    model("inotify_init1", "(flags: i32) -> i32", None, |call| call.system(|call| { let flags = call.arg(0)? as u32; os::counters::inotify_init(call, flags) })),
    model("inotify_add_watch", "(fd: i32, path: *const c_char, events: u32) -> i32", None, |call| call.system(os::counters::inotify_add_watch)),
    model("inotify_rm_watch", "(fd: i32, watch: i32) -> i32", None, |call| call.system(os::counters::inotify_rm_watch)),
    model("no_such_entry", "(key: T, entry: *mut passwd, buffer: *mut c_char, size: usize, result: *mut *mut passwd) -> i32: the system has no database of users", None, process::no_such_entry),
    model("timerfd_create", "(clock: i32, flags: i32) -> i32", None, |call| call.system(os::counters::timerfd_create)),
    model("timerfd_settime", "(fd: i32, flags: i32, new: *const itimerspec, old: *mut itimerspec) -> i32", None, |call| call.system(os::counters::timerfd_settime)),
    model("timerfd_gettime", "(fd: i32, current: *mut itimerspec) -> i32", None, |call| call.system(os::counters::timerfd_gettime)),
    model("signalfd", "(fd: i32, mask: *const sigset_t, flags: i32) -> i32", None, |call| call.system(os::signals::signalfd)),
    model("signal", "(signal: i32, handler: usize) -> usize: the one before, or -1", None, |call| call.system(os::signals::signal)),
    model("sigaction", "(signal: i32, new: *const sigaction, old: *mut sigaction) -> i32", None, |call| call.system(os::signals::sigaction)),
    model("socket", "(domain: i32, kind: i32, protocol: i32) -> i32", None, |call| call.system(os::connect::socket)),
    model("bind", "(fd: i32, address: *const sockaddr, len: u32) -> i32", None, |call| call.system(os::connect::bind)),
    model("listen", "(fd: i32, backlog: i32) -> i32", None, |call| call.system(os::connect::listen)),
    model("accept", "(fd: i32, address: *mut sockaddr, len: *mut u32, ..) -> i32 (also `accept4`)", None, |call| call.system(os::connect::accept)),
    model("connect", "(fd: i32, address: *const sockaddr, len: u32) -> i32", None, |call| call.system(os::connect::connect)),
    model("shutdown", "(fd: i32, how: i32) -> i32", None, |call| call.system(os::connect::shutdown)),
    model("getsockname", "(fd: i32, address: *mut sockaddr, len: *mut u32) -> i32", None, |call| call.system(os::names::getsockname)),
    model("getpeername", "(fd: i32, address: *mut sockaddr, len: *mut u32) -> i32", None, |call| call.system(os::names::getpeername)),
    model("getsockopt", "(fd: i32, level: i32, name: i32, value: *mut (), len: *mut u32) -> i32", None, |call| call.system(os::options::getsockopt)),
    model("setsockopt", "(fd: i32, level: i32, name: i32, value: *const (), len: u32) -> i32", None, |call| call.system(os::options::setsockopt)),
    model("recv", "(fd: i32, buffer: *mut (), len: usize, flags: i32) -> isize", None, |call| call.system(os::transfer::recv)),
    model("recvfrom", "(fd: i32, buffer: *mut (), len: usize, flags: i32, address: *mut sockaddr, address_len: *mut u32) -> isize", None, |call| call.system(os::transfer::recvfrom)),
    model("recvmsg", "(fd: i32, message: *mut msghdr, flags: i32) -> isize", None, |call| call.system(os::transfer::recvmsg)),
    model("send", "(fd: i32, buffer: *const (), len: usize, flags: i32) -> isize", None, |call| call.system(os::transfer::send)),
    model("sendto", "(fd: i32, buffer: *const (), len: usize, flags: i32, address: *const sockaddr, address_len: u32) -> isize", None, |call| call.system(os::transfer::sendto)),
    model("sendmsg", "(fd: i32, message: *const msghdr, flags: i32) -> isize", None, |call| call.system(os::transfer::sendmsg)),
    model("getaddrinfo", "(name: *const c_char, service: *const c_char, hints: *const addrinfo, result: *mut *mut addrinfo) -> i32", None, |call| call.system(os::resolve::getaddrinfo)),
    model("if_nametoindex", "(name: *const c_char) -> u32", None, |call| call.system(os::interfaces::if_nametoindex)),
    model("getifaddrs", "(list: *mut *mut ifaddrs) -> i32", None, |call| call.system(os::interfaces::getifaddrs)),
    model("freeaddrinfo", "(result: *mut addrinfo)", None, os::resolve::freeaddrinfo),
    model("gai_strerror", "(code: i32) -> *const c_char", None, |call| call.pointer(os::resolve::gai_strerror)),
    model("flock", "(fd: i32, operation: i32) -> i32", None, |call| call.system(files::pipe::flock)),
    model("write_fd", "(fd: i32, buffer: *const u8, len: usize) -> isize", None, |call| call.system(files::data::write)),
    model("readv", "(fd: i32, ranges: *const iovec, count: i32) -> isize", None, |call| call.system(files::data::readv)),
    model("writev", "(fd: i32, ranges: *const iovec, count: i32) -> isize", None, |call| call.system(files::data::writev)),
    model("pread", "(fd: i32, buffer: *mut u8, len: usize, offset: i64) -> isize", None, |call| call.system(files::data::pread)),
    model("pwrite", "(fd: i32, buffer: *const u8, len: usize, offset: i64) -> isize", None, |call| call.system(files::data::pwrite)),
    model("preadv", "(fd: i32, ranges: *const iovec, count: i32, offset: i64) -> isize", None, |call| call.system(files::data::preadv)),
    model("pwritev", "(fd: i32, ranges: *const iovec, count: i32, offset: i64) -> isize", None, |call| call.system(files::data::pwritev)),
    model("lseek", "(fd: i32, offset: i64, whence: i32) -> i64", None, |call| call.system(files::data::seek)),
    model("ftruncate", "(fd: i32, len: i64) -> i32", None, |call| call.system(files::data::truncate)),
    model("fsync", "(fd: i32) -> i32 (also `fdatasync`)", None, |call| call.system(files::data::sync)),
    model("copy_file_range", "(from: i32, *mut i64, to: i32, *mut i64, len: usize, flags: u32) -> isize", None, |call| call.system(files::data::copy)),
    model("stat", "(path: *const c_char, *mut stat) -> i32", None, |call| call.system(files::stat::stat)),
    model("lstat", "(path: *const c_char, *mut stat) -> i32", None, |call| call.system(files::stat::lstat)),
    model("fstat", "(fd: i32, *mut stat) -> i32", None, |call| call.system(files::stat::fstat)),
    model("fstatat", "(folder: i32, path: *const c_char, *mut stat, flags: i32) -> i32", None, |call| call.system(files::stat::fstatat)),
    model("statx", "(folder: i32, path: *const c_char, flags: i32, mask: u32, *mut statx) -> i32", None, |call| call.system(files::stat::statx)),
    model("mkdir", "(path: *const c_char, mode: u32) -> i32", None, |call| call.system(files::names::mkdir)),
    model("mkdirat", "(folder: i32, path: *const c_char, mode: u32) -> i32", None, |call| call.system(files::names::mkdirat)),
    model("rmdir", "(path: *const c_char) -> i32", None, |call| call.system(files::names::rmdir)),
    model("unlink", "(path: *const c_char) -> i32", None, |call| call.system(files::names::unlink)),
    model("unlinkat", "(folder: i32, path: *const c_char, flags: i32) -> i32", None, |call| call.system(files::names::unlinkat)),
    model("rename", "(from: *const c_char, to: *const c_char) -> i32", None, |call| call.system(files::names::rename)),
    model("renameat", "(i32, from: *const c_char, i32, to: *const c_char) -> i32", None, |call| call.system(files::names::renameat)),
    model("link", "(from: *const c_char, to: *const c_char) -> i32", None, |call| call.system(files::names::link)),
    model("linkat", "(i32, from: *const c_char, i32, to: *const c_char, flags: i32) -> i32", None, |call| call.system(files::names::linkat)),
    model("symlink", "(target: *const c_char, path: *const c_char) -> i32", None, |call| call.system(files::names::symlink)),
    model("readlink", "(path: *const c_char, buffer: *mut c_char, len: usize) -> isize", None, |call| call.system(files::names::readlink)),
    model("access", "(path: *const c_char, mode: i32) -> i32", None, |call| call.system(files::names::access)),
    model("faccessat", "(folder: i32, path: *const c_char, mode: i32, flags: i32) -> i32", None, |call| call.system(files::names::faccessat)),
    model("chmod", "(path: *const c_char, mode: u32) -> i32", None, |call| call.system(files::names::chmod)),
    model("fchmod", "(fd: i32, mode: u32) -> i32", None, |call| call.system(files::names::fchmod)),
    model("fchmodat", "(folder: i32, path: *const c_char, mode: u32, flags: i32) -> i32", None, |call| call.system(files::names::fchmodat)),
    model("chown", "(path: *const c_char, user: u32, group: u32) -> i32 (also `lchown`)", None, |call| call.system(files::names::chown)),
    model("fchown", "(fd: i32, user: u32, group: u32) -> i32", None, |call| call.system(files::names::fchown)),
    model("utimensat", "(folder: i32, path: *const c_char, times: *const timespec, flags: i32) -> i32", None, |call| call.system(files::names::utimensat)),
    model("futimens", "(fd: i32, times: *const timespec) -> i32", None, |call| call.system(files::names::futimens)),
    model("chdir", "(path: *const c_char) -> i32", None, |call| call.system(files::names::chdir)),
    model("fchdir", "(fd: i32) -> i32", None, |call| call.system(files::names::fchdir)),
    model("dirfd", "(folder: *mut DIR) -> i32", None, |call| call.system(files::folder::dirfd)),
    model("closedir", "(folder: *mut DIR) -> i32", None, |call| call.system(files::folder::closedir)),
    tolerant(model("read_fd", "(fd: i32, buffer: *mut u8, len: usize) -> isize", None, |call| call.system(files::data::read))),
    consts(FILLED, model("ioctl", "(fd: i32, request: u64, argument) -> i32", None, |call| call.system(files::descriptors::ioctl))),
    model("opendir", "(path: *const c_char) -> *mut DIR", None, |call| call.pointer(files::folder::opendir)),
    model("fdopendir", "(fd: i32) -> *mut DIR", None, |call| call.pointer(files::folder::fdopendir)),
    model("readdir", "(folder: *mut DIR) -> *mut dirent64", None, |call| call.pointer(files::folder::readdir)),
    model("realpath", "(path: *const c_char, buffer: *mut c_char) -> *mut c_char", None, |call| call.pointer(files::names::realpath)),
    model("getcwd", "(buffer: *mut c_char, len: usize) -> *mut c_char", None, |call| call.pointer(files::names::getcwd)),
    tolerant(model("refused", "(..) -> i32 or isize: -1, not for these descriptors", None, files::refused)),

    model("c_memchr", "(text: *const (), byte: i32, len: usize) -> *mut ()", None, fast::bytes::c_memchr),
    model("dlsym", "(handle: *mut (), name: *const c_char) -> *mut (): null", None, environment::dlsym),
    model("errno", "() -> i32", None, environment::errno),
    model("errno_location", "() -> *mut i32", None, environment::errno_location),
    model("set_errno", "(i32)", None, environment::set_errno),
    tolerant(model("input", "(..) -> T", None, process::input)),
    tolerant(model("nothing", "(..) -> T: does nothing, the result is zero bytes", None, process::nothing)),
    tolerant(consts("the value", model("constant", "(..) -> T: the first word of the result", None, process::constant))),
    tolerant(model("random", "(..) -> T: bytes of the run's seed, such as a map's keys", None, process::random)),
    tolerant(consts(DURATION, model("now", "(..) -> Timespec or Duration since 1970", None, process::now))),
    model("clock_gettime", "(clock: i32, *mut timespec) -> i32", None, process::clock_gettime),
    model("localtime_r", "(*const time_t, *mut tm) -> *mut tm: the time zone is UTC", None, calendar::localtime_r),
    model("now_secs", "() -> u64", None, process::now_secs),
    model("now_nanos", "() -> u32", None, process::now_nanos),

    consts(fast::HASHER, model("sip_write", "(&mut sip::Hasher, &[u8])", None, fast::hash::write)),
    consts(fast::HASHER, model("sip_finish", "(&sip::Hasher) -> u64", None, fast::hash::finish)),
    model("decimal", "(unsigned, buf: &mut [MaybeUninit<u8>]) -> usize: the digits at the buffer's end", None, fast::number::decimal),
    model("panicking", "() -> bool: whether this thread does", None, fast::panics::panicking),
    model("panic_begins", "(bool) -> Option<MustAbort>", None, fast::panics::begins),
    consts(fast::RANGE, model("range_next", "(&mut Range<integer>) -> Option<integer>", None, fast::iter::range_next)),
    consts(fast::SLICE, model("slice_next", "(&mut slice::Iter<T>) -> Option<&T>", None, fast::iter::slice_next)),
    consts(fast::VALID, model("utf8", "(&[u8]) -> Result<(), Utf8Error>", None, fast::bytes::utf8)),
    consts(fast::OPTION, model("memchr", "(u8, &[u8]) -> Option<usize>", None, fast::bytes::memchr)),
    consts(fast::OPTION, model("memrchr", "(u8, &[u8]) -> Option<usize>", None, fast::bytes::memrchr)),
];

/// The model with this name.
pub fn find(name: &str) -> Option<ModelId> {
    MODELS.iter().position(|decl| decl.name == name).map(|index| ModelId(index as u32))
}

/// The name of a model.
pub fn name(model: ModelId) -> Option<&'static str> {
    MODELS.get(model.0 as usize).map(|decl| decl.name)
}

/// A call of a model: the machine, and the call's operands.
struct Call<'m, 'a> {
    machine: &'m mut Machine<'a>,
    code: &'m Code,
    consts: &'m [u64],
    args: &'m [Slot],
    dst: Slot,
}

impl Call<'_, '_> {
    /// Slot and size of an argument.
    fn place(&self, index: usize) -> Result<(Slot, u32), Stop> {
        match (self.args.get(index), self.code.params.get(index)) {
            (Some(slot), Some(param)) => Ok((*slot, param.1)),
            _ => Err(Stop::Fault(Fault::BadCode)),
        }
    }

    /// The first word of an argument.
    fn arg(&self, index: usize) -> Result<u64, Stop> {
        let (slot, size) = self.place(index)?;
        Ok(self.machine.read(slot, size.min(8)))
    }

    /// A part of an argument.
    fn part(&self, index: usize, offset: u32, size: u32) -> Result<u64, Stop> {
        let (slot, total) = self.place(index)?;
        if offset.checked_add(size).is_none_or(|end| end > total) {
            return Err(Stop::Fault(Fault::BadCode));
        }
        Ok(self.machine.read(slot + offset, size))
    }

    /// A duration in nanoseconds; `None` for `None` of `Option<Duration>`, which is a niche of the nanoseconds.
    fn duration(&self, index: usize) -> Result<Option<u64>, Stop> {
        let offset = |i: usize, default: u32| self.consts.get(i).map_or(default, |value| *value as u32);
        let seconds = self.part(index, offset(0, 0), 8)?;
        let nanos = self.part(index, offset(1, 8), 4)?;
        Ok((nanos < 1_000_000_000).then(|| seconds.saturating_mul(1_000_000_000).saturating_add(nanos)))
    }

    /// The end of a duration from now. Even a wait of zero length lets time pass: loops that wait for the rest of a
    /// duration rely on it.
    fn deadline(&self, duration: Option<u64>) -> Option<u64> {
        duration.map(|nanos| self.machine.now.saturating_add(nanos.max(1)))
    }

    /// Writes the first word of the result.
    fn ret(&mut self, value: u64) {
        let size = self.code.ret.1.min(8);
        if size > 0 {
            self.machine.write(self.dst, size, value);
            let (index, offset) = self.machine.slot(self.dst);
            self.machine.memory.clear_uninterpreted(index, offset, self.code.ret.1 as usize);
        }
    }
}

impl Machine<'_> {
    /// Calls a model from the current frame.
    pub(crate) fn call_model(&mut self, model: ModelId, consts: &[u64], code: &Code, args: &[Slot], dst: Slot) -> Step {
        let Some(decl) = MODELS.get(model.0 as usize) else {
            return Err(Stop::Fault(Fault::BadCode));
        };
        if self.memory.has_uninterpreted && !decl.tolerant {
            for (&(_, size), &slot) in code.params.iter().zip(args) {
                if let Some(term) = self.argument_term(slot, size)
                    && !(size <= 8 && self.settle(slot, size))
                {
                    return self.blurred_model(dst, code.ret.1, term, ALLOCATING.contains(&decl.name));
                }
            }
        }
        // The relevant choice at a start is whether the new thread runs first.
        let starts = decl.point == Some(PointKind::Spawn);
        if let Some(kind) = decl.point
            && !starts
            && self.is_point(kind, Some(code.flags))
        {
            return Ok(Flow::Switch(kind));
        }
        let outcome = (decl.run)(&mut Call { machine: self, code, consts, args, dst })?;
        match outcome {
            Outcome::Done => {
                self.complete();
                if let Some(kind) = decl.point {
                    self.progress_at(kind);
                }
                if starts && self.thread().quiet == 0 && self.touches(PointKind::Spawn, Some(code.flags)) {
                    self.pc += 1;
                    return Ok(Flow::Switch(PointKind::Spawn));
                }
                Ok(Flow::Next)
            }
            Outcome::Block(wait, until) => self.block(wait, until),
            Outcome::Entered(flow) => Ok(flow),
            Outcome::Real => Err(Stop::Fault(Fault::BadCode)),
        }
    }

    /// Calls a fast body from the current frame; false if the real body must be called.
    pub(crate) fn call_fast(
        &mut self,
        model: ModelId,
        consts: &[u64],
        code: &Code,
        args: &[Slot],
        dst: Slot,
    ) -> Result<bool, Stop> {
        let Some(decl) = MODELS.get(model.0 as usize) else {
            return Err(Stop::Fault(Fault::BadCode));
        };
        if self.memory.has_uninterpreted
            && code.params.iter().zip(args).any(|(param, slot)| self.term(*slot, param.1).is_some())
        {
            return Ok(false);
        }
        let outcome = (decl.run)(&mut Call { machine: self, code, consts, args, dst })?;
        Ok(outcome == Outcome::Done)
    }

    /// A size that no allocation can have ends the run.
    fn allocation_size(&self, size: u64) -> Result<u64, Stop> {
        if size > MAX_ALLOCATION { Err(Stop::Bound(crate::run::Bound::Heap)) } else { Ok(size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (index, decl) in MODELS.iter().enumerate() {
            assert_eq!(find(decl.name), Some(ModelId(index as u32)), "{}", decl.name);
        }
    }
}
