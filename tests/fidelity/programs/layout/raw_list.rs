use std::marker::PhantomData;
use std::ptr::{self, NonNull};

pub struct List<T> {
    head: Option<NonNull<Node<T>>>,
    tail: Option<NonNull<Node<T>>>,
    len: usize,
    own: PhantomData<Box<Node<T>>>,
}
struct Node<T> {
    prev: Option<NonNull<Node<T>>>,
    next: Option<NonNull<Node<T>>>,
    value: T,
}
impl<T> List<T> {
    fn new() -> Self {
        List { head: None, tail: None, len: 0, own: PhantomData }
    }
    fn push_back(&mut self, value: T) {
        let n = NonNull::from(Box::leak(Box::new(Node { prev: self.tail, next: None, value })));
        match self.tail {
            Some(mut t) => unsafe { t.as_mut().next = Some(n) },
            None => self.head = Some(n),
        }
        self.tail = Some(n);
        self.len += 1;
    }
    fn push_front(&mut self, value: T) {
        let n = unsafe { NonNull::new_unchecked(Box::into_raw(Box::new(Node { prev: None, next: self.head, value }))) };
        match self.head {
            Some(h) => unsafe { (*h.as_ptr()).prev = Some(n) },
            None => self.tail = Some(n),
        }
        self.head = Some(n);
        self.len += 1;
    }
    fn pop_front(&mut self) -> Option<T> {
        self.head.map(|h| unsafe {
            let n = Box::from_raw(h.as_ptr());
            self.head = n.next;
            match self.head {
                Some(mut h) => h.as_mut().prev = None,
                None => self.tail = None,
            }
            self.len -= 1;
            n.value
        })
    }
    fn iter(&self) -> Iter<'_, T> {
        Iter { next: self.head, back: self.tail, left: self.len, life: PhantomData }
    }
    fn reverse(&mut self) {
        let mut cur = self.head;
        while let Some(n) = cur {
            unsafe {
                let n = n.as_ptr();
                ptr::swap(&raw mut (*n).prev, &raw mut (*n).next);
                cur = (*n).prev;
            }
        }
        std::mem::swap(&mut self.head, &mut self.tail);
    }
}
impl<T> Drop for List<T> {
    fn drop(&mut self) {
        while self.pop_front().is_some() {}
    }
}
struct Iter<'a, T> {
    next: Option<NonNull<Node<T>>>,
    back: Option<NonNull<Node<T>>>,
    left: usize,
    life: PhantomData<&'a T>,
}
impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        self.left = self.left.checked_sub(1)?;
        let n = unsafe { self.next?.as_ref() };
        self.next = n.next;
        Some(&n.value)
    }
}
impl<'a, T> DoubleEndedIterator for Iter<'a, T> {
    fn next_back(&mut self) -> Option<&'a T> {
        self.left = self.left.checked_sub(1)?;
        let n = unsafe { self.back?.as_ref() };
        self.back = n.prev;
        Some(&n.value)
    }
}

struct D(i32);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Stack<T> {
    top: *mut Cell<T>,
}
struct Cell<T>(T, *mut Cell<T>);
impl<T> Stack<T> {
    fn push(&mut self, t: T) {
        self.top = Box::into_raw(Box::new(Cell(t, self.top)));
    }
    fn pop(&mut self) -> Option<T> {
        if self.top.is_null() {
            return None;
        }
        let Cell(t, next) = *unsafe { Box::from_raw(self.top) };
        self.top = next;
        Some(t)
    }
}

fn main() {
    let mut l = List::new();
    for i in 1..=4 {
        l.push_back(D(i));
    }
    l.push_front(D(0));
    println!("{:?}", l.iter().map(|d| d.0).collect::<Vec<_>>());
    println!("{:?}", l.iter().rev().map(|d| d.0).collect::<Vec<_>>());
    let mut it = l.iter();
    println!("{:?} {:?} {}", it.next().map(|d| d.0), it.next_back().map(|d| d.0), it.count());
    l.reverse();
    println!("first {}", l.pop_front().unwrap().0);
    println!("{:?} {}", l.iter().map(|d| d.0).collect::<Vec<_>>(), l.len);
    let mut s = Stack { top: ptr::null_mut() };
    for w in ["a", "b", "c"] {
        s.push(w.to_string());
    }
    while let Some(w) = s.pop() {
        print!("{w} ");
    }
    println!();
    drop(l);
    println!("end");
}
