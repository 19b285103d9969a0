//! Calls from two threads at once (ConTeGe, PLDI'12).

use crate::boxed::Box;
use crate::cell::Cell;
use crate::cmp::Ordering;
use crate::fmt;
use crate::hash::{Hash, Hasher};
use crate::mem::forget;
use crate::panic::{AssertUnwindSafe, catch_unwind};
use crate::process::exit;
use crate::ptr;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::sync::mpsc;
use crate::thread;

/// Lets a closure take a value to another thread: whoever writes the harness knows that the value's type allows it.
struct Allowed<T>(T);

unsafe impl<T> Send for Allowed<T> {}

impl<T> Allowed<T> {
    fn get(self) -> T {
        self.0
    }
}

/// An index below `count`.
pub fn chosen(label: &'static str, count: u64) -> u64 {
    unsafe { libc::tsvd_chosen(label.as_ptr(), label.len(), count) }
}

/// The same for a part of a call.
pub fn chosen_for(call: &'static str, part: &'static str, count: u64) -> u64 {
    let mut label = crate::string::String::from(call);
    label.push_str(part);
    unsafe { libc::tsvd_chosen(label.as_ptr(), label.len(), count) }
}

/// The index of the call that a thread makes, or `count` if it makes none.
pub fn chosen_call(label: &'static str, count: u64) -> u64 {
    unsafe { libc::tsvd_chosen_call(label.as_ptr(), label.len(), count) }
}

/// Ends a thread's call.
pub fn end_call() {
    unsafe { libc::tsvd_call_ended() }
}

/// One call of a method that takes a shared reference; its body is made for each type.
pub fn call_shared<T>(_object: &T, _label: &'static str) {}

/// The same within a callback of another call.
pub fn call_again<T>(_object: &T, _label: &'static str) {}

/// One call of a method that takes a shared reference and another value of the type, or of a function that takes two;
/// its body is made for each type.
pub fn call_with<T>(_object: &T, _other: &T, _label: &'static str) {}

/// One call of a method that takes a reference; its body is made for each type.
pub fn call_owned<T>(_object: &mut T, _label: &'static str) {}

/// One call of a method that takes the value, or none, and the value's end; its body is made for each type.
pub fn end<T>(_object: T, _label: &'static str) {}

/// One call of a function of a type without a receiver, or of the module of a function if the type is that of one; its
/// body is made for each type.
pub fn call_free<T>(_label: &'static str) {}

/// The object of the current call of a thread, and how a callback calls it.
type Inside = Option<(*const (), fn(*const ()))>;

thread_local! {
    static INSIDE: Cell<Inside> = const { Cell::new(None) };
    /// Whether the next callback takes long.
    static TAKES_LONG: Cell<bool> = const { Cell::new(false) };
}

/// How often a callback that takes long yields.
const LONG: u32 = 6;

/// One call of a method that takes a shared reference. One of its callbacks may call the object too.
fn call_on<T>(object: &T, label: &'static str) {
    if chosen("whether callbacks call the object", 4) == 0 {
        INSIDE.set(Some(((&raw const *object).cast(), again::<T>)));
    }
    TAKES_LONG.set(chosen("whether callbacks take long", 2) == 0);
    call_shared(object, label);
    INSIDE.set(None);
}

fn again<T>(object: *const ()) {
    call_again(unsafe { &*object.cast::<T>() }, "the call of a callback");
}

/// The first callback of a call may take long, and calls the object of its thread's call, once.
pub(super) fn call_back() {
    if TAKES_LONG.take() {
        for _ in 0..LONG {
            thread::yield_now();
        }
    }
    if let Some((object, again)) = INSIDE.take() {
        again(object);
    }
}

/// Callbacks do not call the object meanwhile.
pub(super) fn without_calling_back(what: impl FnOnce()) {
    let inside = INSIDE.take();
    what();
    INSIDE.set(inside);
}

/// Two threads, sometimes three, call methods of one value, which is then dropped. The other threads live on, as those of
/// a pool do.
pub fn share<T>(value: T) {
    let threads = share_one(&value, || ());
    drop(value);
    for thread in threads {
        let _ = thread.join();
    }
}

/// The same at one of so many places of a test, where the run then ends. The other value may be the same one.
pub fn within<T>(value: &T, other: &T, place: u64, places: u64) {
    if chosen("where the test stops", places) == place {
        use_both(value, other, || ());
        exit(0);
    }
}

fn use_both<T, G>(value: &T, other: &T, enter: impl Fn() -> G + Copy) {
    if !ptr::eq(value, other) && chosen("what the threads share", 2) == 0 {
        cross_both(value, other, enter);
    } else {
        share_one(value, enter);
    }
}

/// The same in the code of a future, which other threads then poll no further. Returns whether it must suspend: what it
/// runs on goes on, because the calls may need it. The run ends after the calls.
pub fn within_future<T>(value: &T, other: &T, place: u64, places: u64) -> bool {
    stop_future(value, other, place, places, || ())
}

/// The same in a runtime with a context that a thread can enter.
pub fn within_runtime<T, C, E, H, X, G>(
    value: &T,
    other: &T,
    place: u64,
    places: u64,
    current: C,
    enter: E,
) -> bool
where
    C: Fn() -> Result<H, X>,
    E: Fn(&H) -> G + Copy,
    H: 'static,
{
    match current() {
        Ok(handle) => {
            let handle: &'static H = Box::leak(Box::new(handle));
            stop_future(value, other, place, places, move || enter(handle))
        }
        Err(_) => stop_future(value, other, place, places, || ()),
    }
}

/// Ends the run: what the threads use is about to be dropped.
pub fn leave() -> ! {
    exit(0)
}

/// Whether a future has stopped.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

fn stop_future<T, G>(value: &T, other: &T, place: u64, places: u64, enter: impl Fn() -> G + Copy) -> bool {
    if chosen("where the test stops", places) != place {
        return false;
    }
    if !IS_STOPPED.swap(true, Relaxed) {
        let caller = Allowed((&raw const *value, &raw const *other, enter));
        let _ = thread::Builder::new().name("the caller".into()).spawn(move || {
            let (value, other, enter) = caller.get();
            use_both(unsafe { &*value }, unsafe { &*other }, enter);
            exit(0)
        });
    }
    true
}

/// The threads hold what `enter` returns while they make calls.
fn share_one<T, G>(value: &T, enter: impl Fn() -> G + Copy) -> Vec<thread::JoinHandle<()>> {
    let (done, is_done) = mpsc::channel();
    let thread_1 = Allowed((&raw const *value, done.clone(), enter));
    let mut threads = Vec::with_capacity(2);
    threads.push(thread::spawn(move || {
        let (object, one_done, enter) = thread_1.get();
        let object = unsafe { &*object };
        let _entered = enter();
        call_on(object, "call 1 of thread 1");
        call_on(object, "call 2 of thread 1");
        end_of_calls(one_done);
    }));
    if chosen("whether there is a third thread", 4) == 0 {
        let thread_2 = Allowed((&raw const *value, done.clone(), enter));
        threads.push(thread::spawn(move || {
            let (object, one_done, enter) = thread_2.get();
            let _entered = enter();
            call_on(unsafe { &*object }, "the call of thread 2");
            end_of_calls(one_done);
        }));
    }
    let entered = enter();
    // A value for a call may panic; the other threads need the object nevertheless.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        call_on(value, "call 1 of the caller");
        call_on(value, "call 2 of the caller");
    }));
    drop(entered);
    KEPT.with(Kept::touch);
    for _ in &threads {
        let _ = is_done.recv();
    }
    threads
}

fn end_of_calls(done: mpsc::Sender<()>) {
    let _ = done.send(());
    // The end of the sender would order the thread's end before the caller's next steps.
    forget(done);
    KEPT.with(Kept::touch);
}

/// Two threads call methods of one value each, with the other's value as an argument.
pub fn cross<T>(value: T, other: T) {
    cross_both(&value, &other, || ());
}

/// The threads hold what `enter` returns while they make calls.
fn cross_both<T, G>(value: &T, other: &T, enter: impl Fn() -> G + Copy) {
    let objects = Allowed((&raw const *value, &raw const *other, enter));
    let thread = thread::spawn(move || {
        let (value, other, enter) = objects.get();
        let (value, other) = unsafe { (&*value, &*other) };
        let _entered = enter();
        call_with(other, value, "call 1 of thread 1");
        call_on(other, "call 2 of thread 1");
    });
    let entered = enter();
    // A value for a call may panic; the other thread needs the objects nevertheless.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        call_with(value, other, "call 1 of the caller");
        call_on(value, "call 2 of the caller");
    }));
    drop(entered);
    let _ = thread.join();
}

/// Each of two threads has a value of its own, and calls its methods.
pub fn halves<T, U>(value: T, other: U) {
    let value = Allowed(value);
    let thread = thread::spawn(move || {
        let mut value = value.get();
        call_owned(&mut value, "call 1 of thread 1");
        call_owned(&mut value, "call 2 of thread 1");
        end(value, "the last call of thread 1");
        KEPT.with(Kept::touch);
    });
    let mut other = other;
    call_owned(&mut other, "call 1 of the caller");
    call_owned(&mut other, "call 2 of the caller");
    end(other, "the last call of the caller");
    KEPT.with(Kept::touch);
    let _ = thread.join();
}

/// The same of a value and its clone; then both threads start over.
pub fn handles<T: Clone>(value: T) {
    let other = Allowed(value.clone());
    let thread = thread::spawn(move || {
        let mut other = other.get();
        call_owned(&mut other, "call 1 of thread 1");
        end(other, "the last call of thread 1");
        call_free::<T>("the new start of thread 1");
    });
    let mut value = value;
    call_owned(&mut value, "call 1 of the caller");
    end(value, "the last call of the caller");
    call_free::<T>("the new start of the caller");
    let _ = thread.join();
}

/// Two threads call functions without a receiver.
pub fn apart<T>() {
    let thread = thread::spawn(|| {
        call_free::<T>("call 1 of thread 1");
        call_free::<T>("call 2 of thread 1");
    });
    call_free::<T>("call 1 of the caller");
    call_free::<T>("call 2 of the caller");
    let _ = thread.join();
}

/// A value moves to another thread, which uses it while this one uses what it may share.
pub fn send<T>(value: T) {
    let mut value = value;
    // It never overlaps with the thread's calls.
    call_owned(&mut value, "call 0 of thread 1");
    let value = Allowed(value);
    let thread = thread::spawn(move || {
        let mut value = value.get();
        call_owned(&mut value, "call 1 of thread 1");
        end(value, "the last call of thread 1");
    });
    KEPT.with(Kept::touch);
    let _ = thread.join();
}

/// The counter that all [`Local`]s and [`Stuck`]s of a thread update.
struct Kept(&'static Cell<u32>);

impl Kept {
    fn touch(&self) {
        self.0.set(self.0.get() + 1);
    }
}

thread_local! {
    static KEPT: Kept = Kept(Box::leak(Box::new(Cell::new(0))));
}

/// A value that must be used by the thread that made it only: neither `Send` nor `Sync`, as an `Rc`.
pub struct Local {
    shared: &'static Cell<u32>,
}

impl Local {
    fn touch(&self) {
        self.shared.set(self.shared.get() + 1);
    }
}

impl Default for Local {
    fn default() -> Local {
        KEPT.with(|kept| Local { shared: kept.0 })
    }
}

/// A value that one thread at a time may use: `Send`, but not `Sync`, as a `Cell`.
#[derive(Default)]
pub struct Unshared {
    value: Cell<u32>,
}

impl Unshared {
    fn touch(&self) {
        self.value.set(self.value.get() + 1);
    }
}

/// A value that must end where it was made: `Sync`, but not `Send`, as a `MutexGuard`.
pub struct Stuck {
    shared: &'static Cell<u32>,
}

unsafe impl Sync for Stuck {}

impl Stuck {
    fn touch(&self) {
        self.shared.set(self.shared.get() + 1);
    }
}

impl Default for Stuck {
    fn default() -> Stuck {
        KEPT.with(|kept| Stuck { shared: kept.0 })
    }
}

macro_rules! as_a_value {
    ($($ty:ty)*) => {$(
        impl Clone for $ty {
            fn clone(&self) -> $ty {
                self.read();
                Default::default()
            }
        }

        impl Drop for $ty {
            fn drop(&mut self) {
                self.touch();
            }
        }

        impl PartialEq for $ty {
            fn eq(&self, other: &$ty) -> bool {
                self.read();
                other.read();
                true
            }
        }

        impl Eq for $ty {}

        impl PartialOrd for $ty {
            fn partial_cmp(&self, other: &$ty) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $ty {
            fn cmp(&self, other: &$ty) -> Ordering {
                self.read();
                other.read();
                Ordering::Equal
            }
        }

        impl Hash for $ty {
            fn hash<H: Hasher>(&self, _: &mut H) {
                self.read();
            }
        }

        impl fmt::Debug for $ty {
            fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.read();
                Ok(())
            }
        }

        impl fmt::Display for $ty {
            fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.read();
                Ok(())
            }
        }
    )*};
}

as_a_value!(Local Unshared Stuck);

/// A value that callers read where they get a reference to it.
pub trait Readable {
    /// Reads it.
    fn read(&self);
}

impl Readable for Local {
    fn read(&self) {
        self.touch();
    }
}

impl Readable for Unshared {
    fn read(&self) {
        self.touch();
    }
}

impl Readable for Stuck {
    // Any thread may read it.
    fn read(&self) {}
}

impl<T: Readable> Readable for Box<T> {
    fn read(&self) {
        T::read(self);
    }
}

macro_rules! readable {
    ($($ty:ty)*) => {$(
        impl Readable for $ty {
            fn read(&self) {
                drop(*self);
            }
        }
    )*};
}

readable!(bool char u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

impl Readable for str {
    fn read(&self) {
        drop(self.as_bytes().first().copied());
    }
}

impl Readable for String {
    fn read(&self) {
        str::read(self);
    }
}

impl<T: Readable> Readable for [T] {
    fn read(&self) {
        if let Some(first) = self.first() {
            first.read();
        }
    }
}

impl<T: Readable> Readable for Vec<T> {
    fn read(&self) {
        <[T]>::read(self);
    }
}

/// Names `Send`, which is no item of the language.
pub fn is_send<T: Send>(_: &T) {}

// These name the types.

pub fn local() -> Local {
    Local::default()
}

pub fn unshared() -> Unshared {
    Unshared::default()
}

pub fn stuck() -> Stuck {
    Stuck::default()
}
