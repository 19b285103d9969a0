use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::mem::{MaybeUninit, transmute};
use std::ptr::{self, NonNull};

#[repr(C)]
union Bits {
    f: f32,
    u: u32,
    b: [u8; 4],
}

#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq)]
enum Color {
    Red = 1,
    Green,
    Blue = 10,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Hdr {
    tag: u8,
    len: u16,
    val: u32,
}

struct Tagged(usize);
impl Tagged {
    fn new(b: Box<u64>, tag: usize) -> Tagged {
        Tagged(Box::into_raw(b) as usize | tag)
    }
    fn tag(&self) -> usize {
        self.0 & 7
    }
    fn get(&self) -> u64 {
        unsafe { *((self.0 & !7) as *const u64) }
    }
}
impl Drop for Tagged {
    fn drop(&mut self) {
        unsafe { drop(Box::from_raw((self.0 & !7) as *mut u64)) };
        println!("freed {}", self.tag());
    }
}

fn main() {
    unsafe {
        let l = Layout::array::<u32>(4).unwrap();
        println!("{} {}", l.size(), l.align());
        let p = alloc(l) as *mut u32;
        for i in 0..4 {
            p.add(i).write(i as u32 * 11);
        }
        let p = realloc(p as *mut u8, l, 32) as *mut u32;
        p.add(7).write(99);
        println!("{} {} {:?}", *p.add(3), p.add(7).read(), std::slice::from_raw_parts(p, 4));
        ptr::copy(p, p.add(1), 3);
        ptr::copy_nonoverlapping(p.add(7), p, 1);
        println!("{:?}", std::slice::from_raw_parts_mut(p, 4));
        ptr::swap(p, p.add(1));
        println!("{} {} {}", *p, ptr::replace(p, 5), *p);
        println!("{}", p.add(4).offset_from(p));
        dealloc(p as *mut u8, Layout::array::<u32>(8).unwrap());
        let z = alloc_zeroed(Layout::new::<u64>()) as *mut u64;
        println!("{}", *z);
        ptr::write_bytes(z as *mut u8, 0xAB, 3);
        println!("{:x} {:x}", *z, (z as *mut u8).add(1).cast::<u16>().read_unaligned());
        dealloc(z.cast(), Layout::new::<u64>());
        let b = Bits { f: 1.0 };
        println!("{:x} {:?}", b.u, b.b);
        println!("{:?} {:?}", transmute::<u8, Color>(2), transmute::<[u8; 4], u32>([1, 2, 3, 4]));
        println!("{} {}", transmute::<f64, u64>(-0.0) >> 63, transmute::<_, i8>(255u8));
        println!("{:?} {:?}", transmute::<u32, Option<std::num::NonZero<u32>>>(0), transmute::<_, Option<bool>>(2u8));
        let mut arr: [MaybeUninit<String>; 3] = [const { MaybeUninit::uninit() }; 3];
        for (i, s) in arr.iter_mut().enumerate() {
            s.write(format!("s{i}"));
        }
        let arr: [String; 3] = transmute(arr);
        println!("{:?}", arr);
        let h = Hdr { tag: 7, len: 0x0102, val: 9 };
        let bytes = &h as *const Hdr as *const u8;
        println!("{} {} {}", *bytes, *bytes.add(2), *(bytes.add(4) as *const u32));
        let f: fn(i32) -> i32 = |x| x + 1;
        let addr = f as usize;
        println!("{}", transmute::<usize, fn(i32) -> i32>(addr)(41));
        let mut v = vec![1, 2, 3];
        let (p, len, cap) = (v.as_mut_ptr(), v.len(), v.capacity());
        std::mem::forget(v);
        *p.add(1) = 20;
        println!("{:?}", Vec::from_raw_parts(p, len, cap));
        let s = "text";
        println!("{}", std::str::from_utf8_unchecked(std::slice::from_raw_parts(s.as_ptr().add(1), 2)));
        let x = 5;
        let rp = &raw const x;
        println!("{} {}", *rp, rp.is_null());
        let (data, vt): (usize, usize) = transmute::<&dyn std::fmt::Debug, _>(&x);
        println!("{} {}", data == rp.addr(), vt != 0);
        let back: &dyn std::fmt::Debug = transmute((data, vt));
        println!("{back:?}");
    }
    println!("{:?} {:?}", Color::Blue as u8, Color::Green as i32 + 1);
    let t = [Tagged::new(Box::new(111), 3), Tagged::new(Box::new(222), 5)];
    println!("{} {} {} {}", t[0].tag(), t[0].get(), t[1].tag(), t[1].get());
    let nn = NonNull::from(&t[0].0);
    println!("{}", unsafe { *nn.as_ref() } & 7);
    println!("{} {}", NonNull::<u64>::dangling().as_ptr() as usize, Color::Red == Color::Red);
}
