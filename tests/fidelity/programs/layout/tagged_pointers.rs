// Pointers with tags in their low bits, addresses as integers, pointers compared, subtracted and rebuilt.
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

struct Tagged<T> {
    bits: usize,
    owner: PhantomData<Box<T>>,
}
impl<T> Tagged<T> {
    const MASK: usize = align_of::<T>() - 1;
    fn new(value: T, tag: usize) -> Self {
        let address = Box::into_raw(Box::new(value)).expose_provenance();
        assert_eq!(address & Self::MASK, 0);
        Tagged { bits: address | (tag & Self::MASK), owner: PhantomData }
    }
    fn tag(&self) -> usize {
        self.bits & Self::MASK
    }
    fn get(&self) -> &T {
        unsafe { &*ptr::with_exposed_provenance(self.bits & !Self::MASK) }
    }
}
impl<T> Drop for Tagged<T> {
    fn drop(&mut self) {
        drop(unsafe { Box::from_raw(ptr::with_exposed_provenance_mut::<T>(self.bits & !Self::MASK)) });
    }
}

fn main() {
    let tagged = Tagged::new(String::from("tagged"), 5);
    println!("{} {} {}", tagged.get(), tagged.tag(), Tagged::<String>::MASK);
    let array = [10u32, 20, 30, 40];
    let first = array.as_ptr();
    let third = unsafe { first.add(2) };
    println!("{} {}", unsafe { third.offset_from(first) }, third as usize - first as usize);
    println!("{} {:?}", unsafe { *third }, unsafe { third.sub(1).read() });
    println!("{} {} {}", first < third, first == &array[0], third.wrapping_add(100).wrapping_sub(100) == third);
    let bytes = first.cast::<u8>().map_addr(|address| address + 4);
    println!("{:?}", unsafe { std::slice::from_raw_parts(bytes, 4) });
    println!("{} {}", (first as usize).is_multiple_of(4), bytes.addr() % 4);
    println!("{:?}", ptr::null::<u8>().is_null() && NonNull::<u64>::dangling().as_ptr() as usize == 8);
    let slice: *const [u32] = ptr::slice_from_raw_parts(first, 3);
    println!("{} {:?}", slice.len(), unsafe { &*slice });
    let mut pair = (1u8, 2u16);
    let inner = &raw mut pair.1;
    unsafe { *inner += 300 };
    println!("{pair:?}");
    let function: fn(u32) -> u32 = |x| x * 2;
    let address = function as usize;
    let back: fn(u32) -> u32 = unsafe { std::mem::transmute(address) };
    println!("{} {}", back(21), function as *const () == back as *const ());
    let strict = ptr::without_provenance::<u8>(0x1230);
    println!("{:?} {:p} {}", strict, strict, strict.align_offset(64));
    let dynamic: &dyn std::fmt::Debug = &7u8;
    let thin = dynamic as *const dyn std::fmt::Debug as *const u8;
    println!("{}", unsafe { *thin });
}
