// `MaybeUninit` arrays, partly filled buffers, manual allocation and growth, `alloc_zeroed`.
use std::alloc::{alloc, alloc_zeroed, dealloc, realloc, Layout};
use std::mem::{self, MaybeUninit};
use std::ptr;

struct Buffer<T, const N: usize> {
    items: [MaybeUninit<T>; N],
    len: usize,
}
impl<T, const N: usize> Buffer<T, N> {
    fn new() -> Self {
        Buffer { items: [const { MaybeUninit::uninit() }; N], len: 0 }
    }
    fn push(&mut self, item: T) -> Result<(), T> {
        if self.len == N { return Err(item) }
        self.items[self.len].write(item);
        self.len += 1;
        Ok(())
    }
    fn as_slice(&self) -> &[T] {
        unsafe { std::slice::from_raw_parts(self.items.as_ptr().cast(), self.len) }
    }
}
impl<T, const N: usize> Drop for Buffer<T, N> {
    fn drop(&mut self) {
        for item in &mut self.items[..self.len] {
            unsafe { item.assume_init_drop() }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Padded { small: u8, large: u64 }

fn main() {
    let mut buffer = Buffer::<String, 3>::new();
    for i in 0..4 {
        println!("{:?}", buffer.push(format!("item {i}")));
    }
    println!("{:?}", buffer.as_slice());
    let moved = buffer;
    println!("{:?} {}", moved.as_slice(), moved.len);

    let layout = Layout::array::<u32>(4).unwrap();
    unsafe {
        let block = alloc(layout).cast::<u32>();
        for i in 0..4 { block.add(i).write(i as u32 * 11) }
        let block = realloc(block.cast(), layout, 32).cast::<u32>();
        for i in 4..8 { block.add(i).write(i as u32) }
        println!("{:?}", std::slice::from_raw_parts(block, 8));
        dealloc(block.cast(), Layout::array::<u32>(8).unwrap());
        let zeroes = alloc_zeroed(layout).cast::<u32>();
        println!("{:?}", std::slice::from_raw_parts(zeroes, 4));
        dealloc(zeroes.cast(), layout);
    }

    let mut value = MaybeUninit::<Padded>::uninit();
    let padded = unsafe {
        (&raw mut (*value.as_mut_ptr()).small).write(3);
        (&raw mut (*value.as_mut_ptr()).large).write(4);
        value.assume_init()
    };
    let copies = vec![padded; 3];
    println!("{:?} {}", copies, copies[2] == padded);
    let mut boxed = Box::<[u16; 4]>::new_uninit();
    boxed.write([1, 2, 3, 4]);
    println!("{:?}", unsafe { boxed.assume_init() });
    let mut slice = Box::<[u64]>::new_uninit_slice(3);
    for (i, slot) in slice.iter_mut().enumerate() { slot.write(i as u64 * i as u64); }
    println!("{:?}", unsafe { slice.assume_init() });
    let array: [String; 3] = {
        let mut array: [MaybeUninit<String>; 3] = [const { MaybeUninit::uninit() }; 3];
        for (i, slot) in array.iter_mut().enumerate() { slot.write("x".repeat(i)); }
        unsafe { mem::transmute(array) }
    };
    println!("{array:?}");
    let mut spare = Vec::<u8>::with_capacity(16);
    spare.spare_capacity_mut()[..3].iter_mut().zip(b"abc").for_each(|(slot, byte)| { slot.write(*byte); });
    unsafe { spare.set_len(3) };
    println!("{:?} {}", std::str::from_utf8(&spare), spare.capacity() >= 16);
    let mut a = MaybeUninit::<u32>::uninit();
    let mut b = MaybeUninit::new(5u32);
    mem::swap(&mut a, &mut b);
    println!("{}", unsafe { a.assume_init() });
    let zero: (u8, Option<Box<i32>>, [u16; 2]) = unsafe { MaybeUninit::zeroed().assume_init() };
    println!("{zero:?}");
    unsafe { ptr::drop_in_place(&mut spare) };
    mem::forget(spare);
}
