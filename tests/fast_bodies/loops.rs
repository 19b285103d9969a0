//! Ranges of every kind of integer and slices of elements of every size, step by step.

use std::fmt::Debug;
use std::ops::Range;

fn walk<T: Debug>(mut range: Range<T>)
where
    Range<T>: Iterator<Item = T>,
{
    let mut taken = Vec::new();
    while let Some(next) = range.next() {
        taken.push(next);
        if taken.len() == 5 {
            break;
        }
    }
    println!("{taken:?} {range:?} {:?}", range.next());
}

fn elements<T: Debug + Clone>(mut elements: Vec<T>) {
    let mut iter = elements.iter();
    while let Some(next) = iter.next() {
        print!("{next:?} ");
        if iter.len() == 1 {
            print!("(then {:?}) ", iter.next_back());
        }
    }
    println!("{:?} {:?}", iter.next(), iter.as_slice());
    let last = elements.last().cloned();
    for element in elements.iter_mut() {
        if let Some(last) = &last {
            *element = last.clone();
        }
    }
    println!("{elements:?}");
}

fn main() {
    walk(0u8..3);
    walk(250u8..255);
    walk(5u16..5);
    walk(7u32..2);
    walk(u64::MAX - 2..u64::MAX);
    walk(0..usize::MAX);
    walk(-3i8..3);
    walk(i8::MIN..i8::MAX);
    walk(126i8..127);
    walk(-1i16..1);
    walk(1i32..-1);
    walk(i64::MIN..i64::MIN + 2);
    walk(-2isize..2);
    walk(u128::MAX - 2..u128::MAX);
    walk('a'..'d');
    elements(vec![1u8, 2, 3]);
    elements(vec![1u16; 2]);
    elements(vec![(1u8, 2u64), (3, 4)]);
    elements(vec!["one".to_owned(), "two".to_owned(), "three".to_owned()]);
    elements(vec![(), (), ()]);
    elements(Vec::<u32>::new());
    elements(vec![[0u8; 3]; 4]);
    let mut sum = 0;
    for i in 0..1000u32 {
        for n in [i, 1, 2].iter() {
            sum += n;
        }
    }
    println!("{sum}");
    println!("done");
}
