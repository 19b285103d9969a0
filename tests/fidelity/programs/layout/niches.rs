//! Which of the values that a type has no use for stand for the variants around it: rustc 1.95 takes those after the last in use, or
//! before the first, whichever keeps zero for later; seen through the bytes of `None`.
#![allow(dead_code)]

use std::mem;
#[repr(usize)]
#[derive(Copy, Clone)]
enum A { T = 0, E = 4 }
#[repr(u8)]
#[derive(Copy, Clone)]
enum B { T = 0, E = 4 }
#[repr(u8)]
#[derive(Copy, Clone)]
enum B3 { T = 3, E = 4 }
#[derive(Copy, Clone)]
enum C { T = 0, E = 4 }
#[repr(u32)]
#[derive(Copy, Clone)]
enum D { T = 0, M, N }
#[repr(i8)]
#[derive(Copy, Clone)]
enum I { T = -1, E = 4 }
#[repr(usize)]
#[derive(Copy, Clone)]
enum Z { T = 0, E = 1 }
#[repr(u64)]
#[derive(Copy, Clone)]
enum U { T = 0, E = u64::MAX - 5 }
#[repr(isize)]
#[derive(Copy, Clone)]
enum S { T = 0, E = 2 }
#[derive(Copy, Clone)]
enum W { T = 0, E = 300 }
#[derive(Copy, Clone)]
enum V { T = -300, E = 300 }
fn main() { more::go(); unsafe {
    println!("{}", mem::transmute::<_, usize>(None::<A>));
    println!("{}", mem::transmute::<_, u8>(None::<B>));
    println!("{}", mem::transmute::<_, u8>(None::<B3>));
    println!("{}", mem::transmute::<_, u8>(None::<C>));
    println!("{}", mem::transmute::<_, u32>(None::<D>));
    println!("{}", mem::transmute::<_, u8>(None::<I>));
    println!("{}", mem::transmute::<_, usize>(None::<Z>));
    println!("{}", mem::transmute::<_, u64>(None::<U>));
    println!("{}", mem::transmute::<_, usize>(None::<S>));
    println!("{}", mem::transmute::<_, u16>(None::<W>));
    println!("{}", mem::transmute::<_, u16>(None::<V>));
    println!("{}", mem::transmute::<_, u32>(None::<char>));
    println!("{}", mem::transmute::<_, u8>(None::<bool>));
    println!("{}", mem::transmute::<_, u8>(None::<Option<bool>>));
} }
mod more {
    use std::{mem, cmp::Ordering, num::NonZeroU8};
    #[derive(Clone, Copy)] pub struct In(u8, Lvl);
    #[repr(u8)] #[derive(Clone, Copy)] pub enum Lvl { A = 3, B = 9 }
    pub enum Two { X(Lvl), Y, Z, W }
    pub enum Tagged { P(u8), Q(u8) }
    pub fn go() { unsafe {
        println!("{:?}", mem::transmute::<_, u8>(None::<Option<Option<Lvl>>>));
        println!("{:?}", mem::transmute::<_, u8>(Some(None::<Option<Lvl>>)));
        println!("{:?}", mem::transmute::<_, u8>(None::<Two>));
        println!("{:?} {:?} {:?} {:?}", mem::transmute::<_, u8>(Two::X(Lvl::B)), mem::transmute::<_, u8>(Two::Y), mem::transmute::<_, u8>(Two::Z), mem::transmute::<_, u8>(Two::W));
        println!("{:?}", mem::transmute::<_, u8>(None::<Ordering>));
        println!("{:?}", mem::transmute::<_, u8>(Some(None::<Ordering>)));
        println!("{:?}", mem::transmute::<_, u8>(None::<Option<Ordering>>));
        println!("{:?}", mem::transmute::<_, u8>(None::<NonZeroU8>));
        println!("{:?}", mem::transmute::<_, u32>(None::<Option<char>>));
        println!("{:?}", mem::transmute::<_, u8>(None::<Result<bool, ()>>));
        println!("{:?}", mem::transmute::<_, u8>(None::<[bool; 1]>));
        println!("{:?}", mem::transmute::<_, u8>(None::<([Lvl; 1], ())>));
        println!("{:?}", mem::size_of::<Option<In>>());
        let y = None::<Tagged>;
        println!("{:?}", *(&raw const y).cast::<u8>());
        let y = Some(Some(None::<Tagged>));
        println!("{:?}", *(&raw const y).cast::<u8>());
        let y = None::<Option<Option<Tagged>>>;
        println!("{:?}", *(&raw const y).cast::<u8>());
        let y: std::ops::ControlFlow<Option<Lvl>, ()> = std::ops::ControlFlow::Continue(());
        println!("{:?}", *(&raw const y).cast::<u8>());
        let d = None::<std::time::Duration>;
        println!("{:?}", *(&raw const d).cast::<[u32; 4]>().cast::<u32>().add(2));
        let d = None::<Option<std::time::Duration>>;
        println!("{:?}", *(&raw const d).cast::<u32>().add(2));
        let s = None::<Option<String>>;
        println!("{:?}", *(&raw const s).cast::<usize>());
    } }
}
