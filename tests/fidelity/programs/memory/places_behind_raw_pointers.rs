//! Fields behind raw pointers in values that have only `Deref` and `Index`.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::ptr::{NonNull, addr_of_mut};

mod owned {
    use super::*;

    pub struct Owned<T, Init = T> {
        ptr: NonNull<T>,
        marker: PhantomData<NonNull<Init>>,
    }

    pub struct InitPtr<T> {
        pub ptr: *mut T,
    }

    impl<T> Owned<T> {
        pub fn new_uninit() -> Owned<MaybeUninit<T>, T> {
            let boxed = Box::new(MaybeUninit::<T>::uninit());
            Owned { ptr: unsafe { NonNull::new_unchecked(Box::into_raw(boxed)) }, marker: PhantomData }
        }
    }

    impl<T, Init> Deref for Owned<T, Init> {
        type Target = InitPtr<Init>;

        fn deref(&self) -> &InitPtr<Init> {
            println!("deref");
            unsafe { &*(&raw const self.ptr).cast::<InitPtr<Init>>() }
        }
    }

    impl<T, Init> Drop for Owned<T, Init> {
        fn drop(&mut self) {
            drop(unsafe { Box::from_raw(self.ptr.as_ptr()) });
        }
    }
}

struct Pair {
    one: u32,
    two: [u8; 2],
}

struct Shelf([*mut Pair; 1]);

impl Index<usize> for Shelf {
    type Output = *mut Pair;

    fn index(&self, at: usize) -> &*mut Pair {
        println!("index");
        &self.0[at]
    }
}

/// It has both: the mutable one is called, although nothing of it changes.
struct Both(*mut Pair, [*mut Pair; 1]);

impl Deref for Both {
    type Target = *mut Pair;

    fn deref(&self) -> &*mut Pair {
        println!("deref of both");
        &self.0
    }
}

impl DerefMut for Both {
    fn deref_mut(&mut self) -> &mut *mut Pair {
        println!("deref_mut of both");
        &mut self.0
    }
}

impl Index<usize> for Both {
    type Output = *mut Pair;

    fn index(&self, at: usize) -> &*mut Pair {
        println!("index of both");
        &self.1[at]
    }
}

impl IndexMut<usize> for Both {
    fn index_mut(&mut self, at: usize) -> &mut *mut Pair {
        println!("index_mut of both");
        &mut self.1[at]
    }
}

fn main() {
    let owned = owned::Owned::<Pair>::new_uninit();
    unsafe {
        addr_of_mut!((*owned.ptr).one).write(5);
        (*owned.ptr).two = [1, 2];
        (*owned.ptr).two[1] += 6;
        let one = &mut (*owned.ptr).one;
        *one += 1;
        println!("{} {:?}", (*owned.ptr).one, (*owned.ptr).two);
        let pointer = owned.ptr;
        let shelf = Shelf([pointer]);
        (*shelf[0]).one += 10;
        addr_of_mut!((*shelf[0]).two[0]).write(9);
        println!("{} {:?}", (*shelf[0]).one, (*shelf[0]).two);
        let mut both = Both(pointer, [pointer]);
        (**both).one += 100;
        addr_of_mut!((*both[0]).two[1]).write(3);
        println!("{} {:?}", (**both).one, (*both[0]).two);
    }
}
