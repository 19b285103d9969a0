// A bump allocator: addresses are in its own array.
use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
const SIZE: usize = 1 << 20;
#[repr(align(64))]
struct Bump { mem: UnsafeCell<[u8; SIZE]>, top: AtomicUsize }
unsafe impl Sync for Bump {}
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, l: Layout) -> *mut u8 {
        let mut at = 0;
        let r = self.top.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |top| {
            at = (top + l.align() - 1) & !(l.align() - 1);
            if at + l.size() > SIZE { None } else { Some(at + l.size()) }
        });
        if r.is_err() { return std::ptr::null_mut(); }
        unsafe { self.mem.get().cast::<u8>().add(at) }
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
#[global_allocator]
static A: Bump = Bump { mem: UnsafeCell::new([0; SIZE]), top: AtomicUsize::new(0) };
fn inside<T: ?Sized>(p: *const T) -> bool { let p = p.cast::<u8>() as usize; let m = A.mem.get() as usize; p >= m && p < m + SIZE }
fn main() {
    let b = Box::new([1u32; 4]);
    let s = format!("{:?}", b);
    let mut m = std::collections::HashMap::new();
    m.insert(1, vec![1, 2]);
    m.entry(2).or_insert_with(Vec::new).push(3);
    println!("{} {} {} {}", inside(&*b), inside(s.as_str()), inside(m[&1].as_slice()), s);
    let h = std::thread::spawn(|| Box::new(7));
    let r = h.join().unwrap();
    println!("{} {}", inside(&*r), r);
    let local = 3; println!("{}", inside(&local));
}
