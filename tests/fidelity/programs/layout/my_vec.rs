use std::alloc::{self, Layout};
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};

pub struct MyVec<T> {
    ptr: NonNull<T>,
    cap: usize,
    len: usize,
}

impl<T> MyVec<T> {
    pub fn new() -> Self {
        MyVec { ptr: NonNull::dangling(), len: 0, cap: if size_of::<T>() == 0 { usize::MAX } else { 0 } }
    }
    fn grow(&mut self) {
        assert!(size_of::<T>() != 0, "capacity overflow");
        let new = if self.cap == 0 { 1 } else { 2 * self.cap };
        let layout = Layout::array::<T>(new).unwrap();
        let p = if self.cap == 0 {
            unsafe { alloc::alloc(layout) }
        } else {
            unsafe { alloc::realloc(self.ptr.as_ptr().cast(), Layout::array::<T>(self.cap).unwrap(), layout.size()) }
        };
        self.ptr = NonNull::new(p.cast()).unwrap_or_else(|| alloc::handle_alloc_error(layout));
        self.cap = new;
    }
    pub fn push(&mut self, t: T) {
        if self.len == self.cap {
            self.grow();
        }
        unsafe { self.ptr.as_ptr().add(self.len).write(t) };
        self.len += 1;
    }
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(unsafe { self.ptr.as_ptr().add(self.len).read() })
    }
    pub fn insert(&mut self, i: usize, t: T) {
        assert!(i <= self.len, "index out of bounds");
        if self.len == self.cap {
            self.grow();
        }
        unsafe {
            let p = self.ptr.as_ptr().add(i);
            ptr::copy(p, p.add(1), self.len - i);
            p.write(t);
        }
        self.len += 1;
    }
    pub fn remove(&mut self, i: usize) -> T {
        assert!(i < self.len);
        self.len -= 1;
        unsafe {
            let p = self.ptr.as_ptr().add(i);
            let t = p.read();
            ptr::copy(p.add(1), p, self.len - i);
            t
        }
    }
}
impl<T> Drop for MyVec<T> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
        if self.cap != 0 && size_of::<T>() != 0 {
            unsafe { alloc::dealloc(self.ptr.as_ptr().cast(), Layout::array::<T>(self.cap).unwrap()) };
        }
    }
}
impl<T> Deref for MyVec<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}
impl<T> DerefMut for MyVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }
}
pub struct IntoIter<T> {
    buf: MyVec<T>,
    at: usize,
}
impl<T> Iterator for IntoIter<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        if self.at == self.buf.len {
            return None;
        }
        self.at += 1;
        Some(unsafe { self.buf.ptr.as_ptr().add(self.at - 1).read() })
    }
}
impl<T> Drop for IntoIter<T> {
    fn drop(&mut self) {
        unsafe {
            let rest = ptr::slice_from_raw_parts_mut(self.buf.ptr.as_ptr().add(self.at), self.buf.len - self.at);
            self.buf.len = 0;
            ptr::drop_in_place(rest);
        }
    }
}
impl<T> IntoIterator for MyVec<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { buf: self, at: 0 }
    }
}

struct D(u8);
impl Drop for D {
    fn drop(&mut self) {
        print!("d{} ", self.0);
    }
}
struct Zst;
impl Drop for Zst {
    fn drop(&mut self) {
        print!("z ");
    }
}

fn main() {
    let mut v = MyVec::new();
    for w in "the quick brown fox".split(' ') {
        v.push(w.to_owned());
    }
    v.insert(1, "very".into());
    println!("{:?} {} {}", &v[..], v.len(), v.cap);
    println!("{} {:?}", v.remove(0), v.pop());
    v.sort();
    v[0].push('!');
    println!("{:?} {:?}", v.first(), v.iter().map(|s| s.len()).sum::<usize>());
    let mut d = MyVec::new();
    (0..6).for_each(|i| d.push(D(i)));
    drop(d.pop());
    println!("popped");
    let mut it = d.into_iter();
    drop(it.next());
    println!("next");
    drop(it);
    println!("rest");
    let mut z = MyVec::new();
    (0..3).for_each(|_| z.push(Zst));
    println!("{}", z.len());
    drop(z);
    println!("end");
}
