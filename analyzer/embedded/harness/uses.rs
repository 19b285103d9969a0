//! What callers do with the results of calls. A harness chooses a function for each type of a result; those of parts of a
//! result are its type parameters.

use super::threads::Touch;
use crate::mem::MaybeUninit;
use crate::ops::Deref;

/// Maximum number of items that are taken from an iterator.
const ITEMS: usize = 3;

/// The only value of a function's type.
fn function<F>() -> F {
    const { assert!(size_of::<F>() == 0) };
    unsafe { MaybeUninit::uninit().assume_init() }
}

pub fn finish<T>(value: T) {
    drop(value);
}

pub fn read<T: Touch + ?Sized>(value: &T) {
    value.touch();
}

pub fn read_through<T: Deref<Target: Touch>>(value: T) {
    through(&value).touch();
}

/// What a smart pointer points to.
pub fn through<T: Deref>(value: &T) -> &T::Target {
    value
}

/// The next item of an iterator.
pub fn next<T: Iterator>(iterator: &mut T) -> Option<T::Item> {
    iterator.next()
}

pub fn with_option<T, F: FnOnce(T)>(option: Option<T>) {
    if let Some(value) = option {
        function::<F>()(value);
    }
}

pub fn with_result<T, E, F: FnOnce(T)>(result: Result<T, E>) {
    if let Ok(value) = result {
        function::<F>()(value);
    }
}

pub fn with_items<T: Iterator, F: FnOnce(T::Item)>(mut iterator: T) {
    for _ in 0..ITEMS {
        let Some(item) = next(&mut iterator) else { break };
        function::<F>()(item);
    }
}
