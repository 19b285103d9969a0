//! What is derived on packed structs works on copies of the fields, and what is dropped in them is moved out first.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

thread_local!(static ODD: Cell<u32> = const { Cell::new(0) });

fn look<T>(at: &T) {
    if std::ptr::from_ref(at).addr() % align_of::<T>() != 0 {
        ODD.set(ODD.get() + 1);
    }
}

#[derive(Copy)]
struct Word(u64);

impl Clone for Word {
    fn clone(&self) -> Self {
        look(self);
        println!("clone {}", self.0);
        Word(self.0)
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        look(self);
        look(other);
        self.0 == other.0
    }
}

impl Eq for Word {}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Word {
    fn cmp(&self, other: &Self) -> Ordering {
        look(self);
        look(other);
        self.0.cmp(&other.0)
    }
}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        look(self);
        self.0.hash(state);
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        look(self);
        write!(f, "w{}", self.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(packed)]
struct Pair(Word, Word);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(C, packed(2))]
struct Named<T> {
    tag: u8,
    word: T,
    small: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(C)]
struct Shifted<T>(u8, T);

fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn all<T: Copy + Ord + Hash + fmt::Debug>(name: &str, less: T, more: T) {
    ODD.set(0);
    println!("{name}: {:?} {}", less, less == less);
    println!("{:?} {:?} {}", less.cmp(&more), more.partial_cmp(&less), less != more);
    println!("{} {}", hash(&less) == hash(&less), hash(&less) == hash(&more));
    let copy = less.clone();
    println!("{:#?} odd {}", copy, ODD.get());
}

struct Small(u16, &'static str);

impl Drop for Small {
    fn drop(&mut self) {
        look(self);
        println!("drop {} {} odd {}", self.0, self.1, ODD.get());
    }
}

struct Nothing;

impl Drop for Nothing {
    fn drop(&mut self) {
        println!("drop nothing");
    }
}

struct Both {
    #[allow(dead_code)]
    small: Small,
    nothing: Nothing,
}

#[repr(packed)]
struct Misplaced(#[allow(dead_code)] u8, Both);

#[repr(packed)]
#[allow(dead_code)]
struct Several(u8, Small, u8, Small);

#[repr(packed)]
#[allow(dead_code)]
struct Array(u8, [Small; 2], (u8, Small), Option<Small>);

#[repr(C, packed(2))]
#[allow(dead_code)]
struct Own(u8, Small);

impl Drop for Own {
    fn drop(&mut self) {
        println!("drop own {}", self.0);
    }
}

#[allow(dead_code)]
#[repr(C)]
struct Odd<T>(u8, T);

fn main() {
    all("pair", Pair(Word(1), Word(2)), Pair(Word(1), Word(3)));
    all("shifted pair", Shifted(0, Pair(Word(1), Word(2))), Shifted(0, Pair(Word(4), Word(0))));
    all("named", Named { tag: 1, word: Word(2), small: 3 }, Named { tag: 1, word: Word(2), small: 4 });
    all("shifted named", Shifted(1, Named { tag: 1, word: Word(2), small: 3 }), Shifted(2, Named { tag: 0, word: Word(2), small: 4 }));

    ODD.set(0);
    println!("several");
    drop(Odd(0, Several(1, Small(2, "a"), 3, Small(4, "b"))));
    println!("array");
    drop(Odd(0, Array(1, [Small(1, "c"), Small(2, "d")], (3, Small(3, "e")), Some(Small(4, "f")))));
    println!("own");
    drop(Odd(0, Own(1, Small(2, "g"))));
    println!("replaced");
    let mut place = Odd(0, Several(1, Small(2, "h"), 3, Small(4, "i")));
    place.1.1 = Small(5, "j");
    println!("partly");
    let moved = Odd(0, Misplaced(0, Both { small: Small(10, "k"), nothing: Nothing }));
    let nothing = moved.1.1.nothing;
    println!("moved out");
    drop(nothing);
    let one = Odd(0, Several(1, Small(6, "l"), 3, Small(7, "m")));
    let out = one.1.1;
    println!("out {}", out.0);
    println!("boxed");
    drop(Box::new(Odd(0, Several(1, Small(8, "n"), 3, Small(9, "o")))));
    println!("end");
}
