//! How a caller uses the result of a call. The harness chooses a function by the type of the result; the type parameter
//! `F` is the function for a part of it.

use super::threads::Readable;
use crate::mem::MaybeUninit;
use crate::ops::Deref;

/// Maximum number of items that are taken from an iterator.
const ITEMS: usize = 3;

/// The only value of a function's type.
fn function<F>() -> F {
    const { assert!(size_of::<F>() == 0) };
    unsafe { MaybeUninit::uninit().assume_init() }
}

/// Drops a result.
pub fn finish<T>(value: T) {
    drop(value);
}

/// Reads through a reference.
pub fn read<T: Readable + ?Sized>(value: &T) {
    value.read();
}

/// Reads through a smart pointer, then drops it.
pub fn read_through<T: Deref<Target: Readable>>(value: T) {
    through(&value).read();
}

/// The target of a smart pointer.
pub fn through<T: Deref>(value: &T) -> &T::Target {
    value
}

/// The next item of an iterator.
pub fn next<T: Iterator>(iterator: &mut T) -> Option<T::Item> {
    iterator.next()
}

/// Uses the value in an `Option`.
pub fn with_option<T, F: FnOnce(T)>(option: Option<T>) {
    if let Some(value) = option {
        function::<F>()(value);
    }
}

/// Uses the value of a success.
pub fn with_result<T, E, F: FnOnce(T)>(result: Result<T, E>) {
    if let Ok(value) = result {
        function::<F>()(value);
    }
}

/// Uses some items of an iterator.
pub fn with_items<T: Iterator, F: FnOnce(T::Item)>(mut iterator: T) {
    for _ in 0..ITEMS {
        let Some(item) = next(&mut iterator) else { break };
        function::<F>()(item);
    }
}
