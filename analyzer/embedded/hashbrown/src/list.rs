//! A vector with an allocator: std's own inside std, a thin stand-in where the allocator's trait is unstable.

#[cfg(feature = "in-std")]
pub use alloc::alloc::{Allocator, Global};
#[cfg(feature = "in-std")]
pub(crate) use alloc::vec::Vec as List;
#[cfg(not(feature = "in-std"))]
pub(crate) use stand_in::List;
#[cfg(not(feature = "in-std"))]
pub use stand_in::{Allocator, Global};

#[cfg(not(feature = "in-std"))]
mod stand_in {
    use alloc::vec::Vec;
    use core::ops::{Deref, DerefMut};

    /// What an allocator is, as far as a test needs it.
    pub trait Allocator {}

    /// The only allocator.
    #[derive(Clone, Copy, Default, Debug)]
    pub struct Global;

    impl Allocator for Global {}

    /// A vector that names an allocator.
    #[derive(Clone)]
    pub(crate) struct List<T, A> {
        items: Vec<T>,
        _allocator: A,
    }

    impl<T, A> List<T, A> {
        pub(crate) const fn new_in(allocator: A) -> List<T, A> {
            List { items: Vec::new(), _allocator: allocator }
        }
    }

    impl<T, A> Deref for List<T, A> {
        type Target = Vec<T>;

        fn deref(&self) -> &Vec<T> {
            &self.items
        }
    }

    impl<T, A> DerefMut for List<T, A> {
        fn deref_mut(&mut self) -> &mut Vec<T> {
            &mut self.items
        }
    }
}
