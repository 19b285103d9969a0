// A doubly linked list of raw pointers, with cursors and a destructor.

use std::{fmt::Debug, marker::PhantomData, ptr::NonNull};

struct Node<T> {
    value: T,
    next: Option<NonNull<Node<T>>>,
    back: Option<NonNull<Node<T>>>,
}

struct List<T> {
    ends: Option<(NonNull<Node<T>>, NonNull<Node<T>>)>,
    len: usize,
    owns: PhantomData<Box<Node<T>>>,
}

impl<T> List<T> {
    fn new() -> Self {
        List { ends: None, len: 0, owns: PhantomData }
    }

    fn push(&mut self, value: T) {
        let back = self.ends.map(|(_, last)| last);
        let node = NonNull::from(Box::leak(Box::new(Node { value, next: None, back })));
        self.ends = Some(match self.ends {
            None => (node, node),
            Some((first, last)) => {
                unsafe { (*last.as_ptr()).next = Some(node) };
                (first, node)
            }
        });
        self.len += 1;
    }

    fn remove(&mut self, node: NonNull<Node<T>>) -> T {
        let node = unsafe { Box::from_raw(node.as_ptr()) };
        match node.back {
            Some(back) => unsafe { (*back.as_ptr()).next = node.next },
            None => self.ends = node.next.map(|next| (next, self.ends.unwrap().1)),
        }
        match node.next {
            Some(next) => unsafe { (*next.as_ptr()).back = node.back },
            None => self.ends = node.back.map(|back| (self.ends.unwrap().0, back)),
        }
        self.len -= 1;
        node.value
    }

    fn find(&self, wanted: impl Fn(&T) -> bool) -> Option<NonNull<Node<T>>> {
        let mut at = self.ends.map(|(first, _)| first);
        while let Some(node) = at {
            if wanted(unsafe { &node.as_ref().value }) {
                return Some(node);
            }
            at = unsafe { node.as_ref().next };
        }
        None
    }

    fn reverse(&mut self) {
        let mut at = self.ends.map(|(first, _)| first);
        while let Some(mut node) = at {
            let node = unsafe { node.as_mut() };
            at = node.next;
            std::mem::swap(&mut node.next, &mut node.back);
        }
        self.ends = self.ends.map(|(first, last)| (last, first));
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        let first = self.ends.map(|(first, _)| unsafe { first.as_ref() });
        std::iter::successors(first, |node| node.next.map(|next| unsafe { next.as_ref() })).map(|node| &node.value)
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        while let Some((first, _)) = self.ends {
            self.remove(first);
        }
    }
}

struct Told<T: Debug>(T);

impl<T: Debug> Drop for Told<T> {
    fn drop(&mut self) {
        print!("-{:?} ", self.0);
    }
}

fn main() {
    let mut list = List::new();
    (0..6).for_each(|n| list.push(Told(n)));
    let third = list.find(|it| it.0 == 3).unwrap();
    let removed = list.remove(third);
    println!("{} {}", removed.0, list.len);
    for end in [0, 5] {
        let node = list.find(|it| it.0 == end).unwrap();
        list.remove(node);
    }
    println!();
    println!("{:?}", list.iter().map(|it| it.0).collect::<Vec<_>>());
    list.reverse();
    list.push(Told(9));
    println!("{:?} {}", list.iter().map(|it| it.0).collect::<Vec<_>>(), list.find(|it| it.0 == 77).is_none());
    drop(list);
    println!("end");
}
