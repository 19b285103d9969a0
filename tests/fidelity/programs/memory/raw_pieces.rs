// mem, ptr, MaybeUninit, alloc, NonNull, unions, transmutes, by hand.
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error, realloc};
use std::mem::{self, ManuallyDrop, MaybeUninit, align_of, offset_of, size_of};
use std::ptr::{self, NonNull};
struct Stack<T> { ptr: NonNull<T>, cap: usize, len: usize }
impl<T> Stack<T> {
    fn new() -> Self { Stack { ptr: NonNull::dangling(), cap: 0, len: 0 } }
    fn push(&mut self, x: T) { if self.len == self.cap { let new = (self.cap * 2).max(2); let layout = Layout::array::<T>(new).unwrap(); let p = unsafe { if self.cap == 0 { alloc(layout) } else { realloc(self.ptr.as_ptr().cast(), Layout::array::<T>(self.cap).unwrap(), layout.size()) } }; self.ptr = NonNull::new(p.cast()).unwrap_or_else(|| handle_alloc_error(layout)); self.cap = new; } unsafe { self.ptr.add(self.len).write(x) }; self.len += 1; }
    fn pop(&mut self) -> Option<T> { self.len = self.len.checked_sub(1)?; Some(unsafe { self.ptr.add(self.len).read() }) }
    fn slice(&self) -> &[T] { unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) } }
}
impl<T> Drop for Stack<T> { fn drop(&mut self) { unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.ptr.as_ptr(), self.len)); if self.cap > 0 { dealloc(self.ptr.as_ptr().cast(), Layout::array::<T>(self.cap).unwrap()) } } } }
struct Loud(u8);
impl Drop for Loud { fn drop(&mut self) { print!("d{} ", self.0) } }
#[repr(C)] #[derive(Clone, Copy)] union Bits { f: f32, u: u32, b: [u8; 4] }
#[repr(C)] #[derive(Debug, Default, Clone, Copy, PartialEq)] struct Mixed { a: u8, b: u32, c: u16, d: u64 }
#[repr(C, packed)] struct Packed { a: u8, b: u32, c: u16 }
#[repr(u8)] #[derive(Debug, PartialEq, Clone, Copy)] enum Tag { A = 3, B, C = 200 }
#[repr(align(32))] struct Aligned(u8);
fn init<const N: usize>(f: impl Fn(usize) -> String) -> [String; N] { let mut a = [const { MaybeUninit::uninit() }; N]; for (i, x) in a.iter_mut().enumerate() { x.write(f(i)); } a.map(|x| unsafe { x.assume_init() }) }
fn main() {
    { let mut s = Stack::new(); for n in 0..5 { s.push(Loud(n)) } print!("{} ", s.pop().map_or(99, |l| l.0)); println!("{:?} {}", s.slice().iter().map(|l| l.0).collect::<Vec<_>>(), s.cap); } println!();
    println!("{:?}", init::<3>(|i| format!("s{i}")));
    unsafe {
        let b = Bits { f: -1.5 }; println!("{:#x} {:?}", b.u, b.b);
        let l = Layout::from_size_align(24, 8).unwrap(); let p = alloc_zeroed(l); ptr::write_bytes(p.add(8), 0xab, 8); ptr::copy(p.add(6), p, 4); ptr::copy_nonoverlapping(p.add(8), p.add(16), 4); println!("{:?}", std::slice::from_raw_parts(p, 24)); p.cast::<u64>().add(1).write_volatile(7); println!("{}", p.add(8).cast::<u32>().read_unaligned()); dealloc(p, l);
        println!("{:?} {:?}", mem::transmute::<f64, u64>(1.0), mem::transmute::<[u16; 2], u32>([1, 2]).to_le_bytes()); println!("{:?}", mem::transmute::<u8, Tag>(4)); println!("{:?}", mem::transmute_copy::<[u8; 4], u16>(&[1, 2, 3, 4]));
        let mut x = [1, 2, 3, 4, 5, 6]; let p = x.as_mut_ptr(); ptr::swap(p, p.add(5)); ptr::swap_nonoverlapping(p, p.add(3), 2); println!("{:?} {}", ptr::replace(p.add(1), 9), p.add(4).offset_from(p)); println!("{x:?}");
        let (head, mid, tail) = [1u8, 2, 3, 4, 5, 6, 7, 8].align_to::<u16>(); println!("{}", head.len() + mid.len() * 2 + tail.len());
        let z: Mixed = mem::zeroed(); println!("{z:?} {}", z == Mixed::default());
        let pk = Packed { a: 1, b: 0x01020304, c: 5 }; let (b, c) = (pk.b, ptr::addr_of!(pk.c).read_unaligned()); println!("{b} {c} {} {}", pk.a, size_of::<Packed>());
        let bx = Box::into_raw(Box::new(Loud(42))); (*bx).0 += 1; drop(Box::from_raw(bx)); let bx = Box::leak(Box::new(5)); *bx += 1; println!("{bx}"); drop(Box::from_raw(bx));
        let v = ManuallyDrop::new(vec![1u32, 2, 3]); let r = Vec::from_raw_parts(v.as_ptr() as *mut u32, v.len(), v.capacity()); println!("{r:?}");
        let mut md = ManuallyDrop::new(Loud(1)); ManuallyDrop::drop(&mut md); println!();
        let fat: *const [u8] = ptr::slice_from_raw_parts(b"hello".as_ptr(), 3); println!("{} {:?}", fat.len(), &*fat); let d: *const dyn std::fmt::Debug = &5u8; println!("{:?} {}", &*d, d.cast::<u8>().read());
        let f: fn(i32) -> i32 = |x| x + 1; let p = f as *const (); println!("{}", mem::transmute::<*const (), fn(i32) -> i32>(p)(1));
        println!("{:?}", std::str::from_utf8_unchecked(&[104, 105])); println!("{}", char::from_u32_unchecked(0x41)); println!("{:?}", NonNull::from(&mut 5).as_ref()); println!("{}", *[1, 2, 3].get_unchecked(1));
    }
    println!("{} {} {} {}", offset_of!(Mixed, b), offset_of!(Mixed, d), size_of::<Mixed>(), align_of::<Mixed>()); println!("{} {} {} {}", size_of::<Option<Box<u8>>>(), size_of::<Option<u32>>(), size_of::<Option<char>>(), size_of::<Option<Option<bool>>>());
    println!("{} {} {}", size_of::<Aligned>(), (&Aligned(1) as *const Aligned as usize) % 32, Aligned(7).0); println!("{} {}", Tag::C as u8, Tag::B as i32); println!("{:?} {:?}", mem::discriminant(&Some(1)) == mem::discriminant(&Some(2)), mem::needs_drop::<Vec<u8>>());
    println!("{:?} {:?}", Layout::new::<(u8, u32)>(), Layout::array::<u16>(5)); println!("{:?} {:?}", Layout::new::<u8>().extend(Layout::new::<u64>()).map(|(l, o)| (l.pad_to_align().size(), o)), Layout::from_size_align(1, 3).map_err(|e| e.to_string()));
    println!("{:?} {:?} {:?}", mem::take(&mut vec![1]), mem::replace(&mut 1, 2), { let (mut a, mut b) = (1, 2); mem::swap(&mut a, &mut b); (a, b) }); println!("{} {}", ptr::null::<u8>().is_null(), ptr::eq(&[1u8; 0], &[2u8; 0]) || true); println!("{:?}", (5 as *const u8).wrapping_add(3).addr());
    let mut v: Vec<u8> = Vec::with_capacity(4); v.spare_capacity_mut()[0].write(9); unsafe { v.set_len(1) }; println!("{v:?}");
}
