//! What a harness calls: functions of a library on values that are made for them (`analyzer/src/harness.rs`). It is no part
//! of std, but stands where it can be reached from every crate.

mod threads;
mod uses;

use crate::boxed::Box;
use crate::fmt::{Formatter, FormattingOptions};
use crate::future::{Future, Ready, ready as now};
use crate::marker::{PhantomData, Tuple};
use crate::panic::{AssertUnwindSafe, catch_unwind};
use crate::pin::{Pin, pin};
use crate::process::exit;
use crate::sync::Arc;
use crate::sync::mpsc;
use crate::task::{Context, Poll, Wake, Waker};
use crate::thread::{self, Thread};
use crate::time::Duration;
use crate::vec;

/// Calls a function and uses what it gives. A panic ends the call only, as in a thread of a server.
pub fn call<F: FnOnce<A, Output = R>, A: Tuple, R, U: FnOnce(R)>(function: F, args: A, uses: U) {
    let _ = catch_unwind(AssertUnwindSafe(move || uses(FnOnce::call_once(function, args))));
}

/// The same of a function that gives a future: it is polled to its end.
pub fn call_async<F: FnOnce<A, Output = R>, A: Tuple, R: Future, U: FnOnce(R::Output)>(function: F, args: A, uses: U) {
    let _ = catch_unwind(AssertUnwindSafe(move || uses(block_on(FnOnce::call_once(function, args)))));
}

/// The same in one of two threads. The future may also be polled again without being woken, by another waker, or be dropped
/// before it is ready, as `select!` and tasks that move do. The label says whose call it is.
pub fn call_async_partly<F: FnOnce<A, Output = R>, A: Tuple, R: Future, U: FnOnce(R::Output)>(
    function: F,
    args: A,
    uses: U,
    label: &'static str,
) {
    let _ = catch_unwind(AssertUnwindSafe(move || {
        if let Some(value) = poll_partly(FnOnce::call_once(function, args), label) {
            uses(value);
        }
    }));
}

fn poll_partly<F: Future>(future: F, label: &'static str) -> Option<F::Output> {
    let way = threads::chosen_for(label, "how its future is polled", 6);
    let mut future = pin!(future);
    let waker = match way {
        0 | 1 => return Some(block_on(future)),
        2 | 3 => Waker::noop().clone(),
        _ => unparker(),
    };
    if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
        return Some(value);
    }
    if way == 4 {
        // If nobody wakes it, it is dropped nevertheless.
        thread::park_timeout(Duration::from_secs(1));
    }
    // Other calls may come in between.
    let drops = way >= 4;
    unsafe { libc::tsvd_half_way(drops.into()) }
    if drops { None } else { Some(block_on(future)) }
}

struct Unparks(Thread);

impl Wake for Unparks {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
        // A task that wakes itself is not run before its poll ends.
        if self.0.id() != thread::current().id() {
            wake_back();
        }
    }
}

/// An executor may run a task as soon as it is woken. Here the task uses the object of the call that wakes it.
fn wake_back() {
    threads::call_back();
}

fn unparker() -> Waker {
    Waker::from(Arc::new(Unparks(thread::current())))
}

/// Polls a future to its end.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = unparker();
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

/// What a constructor made. Without it there is nothing to be called.
pub fn made<T, E>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(_) => exit(0),
    }
}

/// The same of a constructor that may give nothing.
pub fn given<T>(option: Option<T>) -> T {
    match option {
        Some(value) => value,
        None => exit(0),
    }
}

/// A number that somebody may give.
pub fn number(label: &'static str) -> u64 {
    unsafe { libc::tsvd_number(label.as_ptr(), label.len()) }
}

/// A text that somebody may give.
pub fn text(label: &'static str) -> &'static str {
    let mut len = 0;
    unsafe {
        let text = libc::tsvd_text(label.as_ptr(), label.len(), &mut len);
        crate::str::from_utf8_unchecked(crate::slice::from_raw_parts(text, len))
    }
}

/// A name that somebody may give.
fn name(label: &'static str) -> &'static str {
    let mut len = 0;
    unsafe {
        let name = libc::tsvd_name(label.as_ptr(), label.len(), &mut len);
        crate::str::from_utf8_unchecked(crate::slice::from_raw_parts(name, len))
    }
}

pub fn string(label: &'static str) -> String {
    String::from(text(label))
}

/// Another number than for the same label before.
pub fn other_number(label: &'static str) -> u64 {
    number(label).wrapping_add(1)
}

/// Another text than for the same label before.
pub fn other_text(label: &'static str) -> &'static str {
    Box::leak(Box::new(other_string(label)))
}

pub fn other_string(label: &'static str) -> String {
    let mut other = string(label);
    other.push('2');
    other
}

pub fn flag(label: &'static str) -> bool {
    number(label) % 2 == 1
}

/// Whether somebody gives an option that is one of so many; most command lines have few.
pub fn is_given(label: &'static str, options: u32) -> bool {
    unsafe { libc::tsvd_has_option(label.as_ptr(), label.len(), options) != 0 }
}

/// One of as many choices.
pub fn choice(label: &'static str, other: &'static str, count: u64) -> u64 {
    (number(label) * 9 + number(other)) % count
}

pub fn letter(label: &'static str) -> char {
    (b'a' + number(label) as u8) as char
}

pub fn fraction(label: &'static str) -> f64 {
    number(label) as f64 / 2.0
}

pub fn duration(label: &'static str) -> Duration {
    Duration::from_millis(number(label))
}

pub fn path(label: &'static str) -> &'static crate::path::Path {
    crate::path::Path::new(name(label))
}

pub fn path_buf(label: &'static str) -> crate::path::PathBuf {
    path(label).to_path_buf()
}

pub fn os_str(label: &'static str) -> &'static crate::ffi::OsStr {
    crate::ffi::OsStr::new(name(label))
}

pub fn os_string(label: &'static str) -> crate::ffi::OsString {
    os_str(label).to_os_string()
}

/// An address of this host.
pub fn address(label: &'static str) -> crate::net::SocketAddr {
    crate::net::SocketAddr::from(([127, 0, 0, 1], 8080 + number(label) as u16))
}

pub fn list<T>(first: T, second: T) -> Vec<T> {
    let mut list = Vec::with_capacity(2);
    list.push(first);
    list.push(second);
    list
}

pub fn iterator<T>(first: T, second: T) -> vec::IntoIter<T> {
    list(first, second).into_iter()
}

pub fn ready<T>(value: T) -> Ready<T> {
    now(value)
}

/// What an `Arc` shares.
pub fn shared<T>(arc: &Arc<T>) -> &T {
    arc
}

/// A value in an `Arc`.
pub fn share<T>(value: T) -> Arc<T> {
    Arc::new(value)
}

/// The same `Arc` again.
pub fn again<T>(arc: &Arc<T>) -> Arc<T> {
    arc.clone()
}

/// A value that stays where it is until it is dropped.
pub fn pinned<T>(value: &mut T) -> Pin<&mut T> {
    unsafe { Pin::new_unchecked(value) }
}

/// What nobody reads is written here.
pub fn formatter() -> &'static mut Formatter<'static> {
    let text: &'static mut String = Box::leak(Box::new(String::new()));
    Box::leak(Box::new(Formatter::new(text, FormattingOptions::new())))
}

/// Nobody is woken.
pub fn context() -> &'static mut Context<'static> {
    Box::leak(Box::new(Context::from_waker(Waker::noop())))
}

/// A sender to somebody who never looks.
pub fn sender<T>() -> mpsc::Sender<T> {
    let (sender, receiver) = mpsc::channel();
    crate::mem::forget(receiver);
    sender
}

/// A receiver of two messages.
pub fn receiver<T>(first: T, second: T) -> mpsc::Receiver<T> {
    let (sender, receiver) = mpsc::channel();
    let _ = sender.send(first);
    let _ = sender.send(second);
    receiver
}

/// Whether inputs are made up; else they are somebody's, and what they are is not known here.
pub fn makes_inputs_up() -> bool {
    unsafe { libc::tsvd_makes_up(0) != 0 }
}

/// The same for code that can parse a command line: it may be one that the tests of the package use.
pub fn makes_args_up() -> bool {
    unsafe { libc::tsvd_makes_up(1) != 0 }
}

/// A reference that outlives whoever made the value.
pub fn leaked<T>(value: T) -> &'static T {
    leaked_mut(value)
}

pub fn leaked_mut<T>(value: T) -> &'static mut T {
    Box::leak(Box::new(value))
}

/// The same as `make`, by public means only.
pub fn make_public<T>(_label: &'static str) -> T {
    loop {}
}

/// A value of any type that a harness can make; its body is made for each.
pub fn make<T>(_label: &'static str) -> T {
    loop {}
}

/// A type whose values a derive makes up.
pub trait MadeUp {
    fn made_up() -> Self;
}

/// Whether a method of a stub fails, or returns nothing, in this run.
pub fn fails(label: &'static str) -> bool {
    number(label) % 4 == 3
}

/// The future in those of a stub: in half of the runs, it is not ready at once.
pub struct Pause {
    waits: bool,
}

pub fn pause() -> Pause {
    Pause { waits: flag("whether the futures of stubs wait") }
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if !self.waits {
            return Poll::Ready(());
        }
        self.waits = false;
        threads::without_calling_back(|| context.waker().wake_by_ref());
        Poll::Pending
    }
}

/// Makes a value of any type: by its derive if that does it, else as a harness would.
pub struct Maker<T>(crate::marker::PhantomData<T>);

impl<T> Maker<T> {
    pub fn new() -> Self {
        Maker(crate::marker::PhantomData)
    }
}

impl<T: MadeUp> Maker<T> {
    pub fn value(&self, _: &'static str) -> T {
        T::made_up()
    }
}

/// The fallback of a [`Maker`] for all other types.
pub trait MadeOtherwise<T> {
    fn value(&self, label: &'static str) -> T;
}

impl<T> MadeOtherwise<T> for Maker<T> {
    fn value(&self, label: &'static str) -> T {
        make(label)
    }
}

// Functions for those who call back. They may use the object of the call.

pub fn act0() {
    threads::call_back();
}

pub fn act1<A>(_: A) {
    threads::call_back();
}

pub fn act2<A, B>(_: A, _: B) {
    threads::call_back();
}

pub fn act3<A, B, C>(_: A, _: B, _: C) {
    threads::call_back();
}

pub fn give0<R: Default>() -> R {
    threads::call_back();
    R::default()
}

pub fn give1<A, R: Default>(_: A) -> R {
    threads::call_back();
    R::default()
}

pub fn give2<A, B, R: Default>(_: A, _: B) -> R {
    threads::call_back();
    R::default()
}

/// A function for those who call back once or by turns: it updates what it borrows, as a closure does. The value is gone
/// when the call that the function was given to has ended.
pub struct Borrowing<A, R> {
    lent: *mut u32,
    function: PhantomData<fn(A) -> R>,
}

// It stands for a closure with a `&mut u32`.
unsafe impl<A, R> Send for Borrowing<A, R> {}
unsafe impl<A, R> Sync for Borrowing<A, R> {}

impl<A: Tuple, R: Default> FnOnce<A> for Borrowing<A, R> {
    type Output = R;

    extern "rust-call" fn call_once(mut self, args: A) -> R {
        self.call_mut(args)
    }
}

impl<A: Tuple, R: Default> FnMut<A> for Borrowing<A, R> {
    extern "rust-call" fn call_mut(&mut self, _: A) -> R {
        threads::call_back();
        unsafe { *self.lent += 1 }
        R::default()
    }
}

/// A function that borrows a new value.
pub fn borrowing<A, R>() -> Borrowing<A, R> {
    Borrowing { lent: Box::into_raw(Box::new(0)), function: PhantomData }
}

/// Ends the value that a function borrows.
pub fn returned<A, R>(of: Borrowing<A, R>) {
    drop(unsafe { Box::from_raw(of.lent) });
}

/// Whether the functions for those who call back succeed in this run.
fn succeeds() -> bool {
    flag("whether callbacks succeed")
}

pub fn attempt0<R: Default, E: Default>() -> Result<R, E> {
    threads::call_back();
    if succeeds() { Ok(R::default()) } else { Err(E::default()) }
}

pub fn attempt1<A, R: Default, E: Default>(_: A) -> Result<R, E> {
    attempt0()
}

pub fn attempt2<A, B, R: Default, E: Default>(_: A, _: B) -> Result<R, E> {
    attempt0()
}

pub fn same<A>(value: A) -> A {
    threads::call_back();
    value
}
