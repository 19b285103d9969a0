use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
struct Counting { allocs: AtomicUsize, bytes: AtomicUsize }
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 { self.allocs.fetch_add(1, Relaxed); self.bytes.fetch_add(layout.size(), Relaxed); unsafe { System.alloc(layout) } }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) { self.bytes.fetch_sub(layout.size(), Relaxed); unsafe { System.dealloc(ptr, layout) } }
}
#[global_allocator]
static A: Counting = Counting { allocs: AtomicUsize::new(0), bytes: AtomicUsize::new(0) };
fn main() {
    let (n, b) = (A.allocs.load(Relaxed), A.bytes.load(Relaxed));
    let x = Box::new(5u64);
    println!("{} {}", A.allocs.load(Relaxed) - n, A.bytes.load(Relaxed) - b);
    let mut v = Vec::with_capacity(10); v.push(*x);
    println!("{} {}", A.allocs.load(Relaxed) - n, A.bytes.load(Relaxed) - b > 80);
    drop(v); drop(x);
    let z = vec![0u8; 100];
    let now = A.allocs.load(Relaxed);
    let s = String::from("abc") + "def";
    println!("{} {}", A.allocs.load(Relaxed) - now, z.len() + s.len());
}
