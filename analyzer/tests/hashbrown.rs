//! The embedded stand-in for hashbrown, compiled: the same answers as std's maps, and each element dropped once.

#![expect(clippy::disallowed_types, reason = "std's maps are what ours is compared with")]

extern crate alloc;

// A match costs the interpreter less than a call with a closure.
#[allow(dead_code, unexpected_cfgs, unreachable_pub, clippy::manual_map)]
#[path = "../embedded/hashbrown/src"]
mod hashbrown {
    mod list;
    mod table;

    pub(crate) mod hash_map;
    pub(crate) mod hash_set;
}

use std::cell::Cell;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use hashbrown::hash_map::{HashMap, RustcEntry};
use hashbrown::hash_set::HashSet;

type Fixed = BuildHasherDefault<DefaultHasher>;

/// Some hashes collide in all bits.
#[derive(Clone, Default)]
struct Coarse;

struct CoarseHasher(u64);

impl Hasher for CoarseHasher {
    fn finish(&self) -> u64 {
        self.0 % 7
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(31).wrapping_add(u64::from(*byte));
        }
    }
}

impl BuildHasher for Coarse {
    type Hasher = CoarseHasher;

    fn build_hasher(&self) -> CoarseHasher {
        CoarseHasher(0)
    }
}

/// Random operations give what std's map gives.
fn compare_with_std<S: BuildHasher + Clone + Default>() {
    let mut ours: HashMap<u32, u64, S> = HashMap::with_hasher(S::default());
    let mut real: std::collections::HashMap<u32, u64> = std::collections::HashMap::new();
    let mut state = 1u64;
    for step in 0..20_000u64 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let key = (state >> 40) as u32 % 97;
        match (state >> 33) % 13 {
            0..5 => assert_eq!(ours.insert(key, step), real.insert(key, step)),
            5..8 => assert_eq!(ours.remove(&key), real.remove(&key)),
            8 => assert_eq!(ours.get(&key), real.get(&key)),
            9 => match ours.rustc_entry(key) {
                RustcEntry::Occupied(mut entry) => {
                    assert_eq!(Some(entry.get()), real.get(entry.key()));
                    *entry.get_mut() += 1;
                    *real.get_mut(&key).expect("both have it") += 1;
                }
                RustcEntry::Vacant(entry) => {
                    assert!(!real.contains_key(entry.key()));
                    real.insert(key, step);
                    assert_eq!(*entry.insert(step), step);
                }
            },
            10 if step % 50 == 0 => {
                ours.retain(|key, _| key % 3 == 0);
                real.retain(|key, _| key % 3 == 0);
            }
            11 if step % 70 == 0 => {
                let mut gone: Vec<_> = ours.extract_if(|key, _| key % 2 == 0).collect();
                let mut other: Vec<_> = real.extract_if(|key, _| key % 2 == 0).collect();
                gone.sort();
                other.sort();
                assert_eq!(gone, other);
            }
            12 if step % 90 == 0 => ours.shrink_to_fit(),
            _ => {
                if let Some(value) = ours.get_mut(&key) {
                    *value += 3;
                    *real.get_mut(&key).expect("both have it") += 3;
                }
            }
        }
        assert_eq!(ours.len(), real.len());
        assert!(ours.capacity() >= ours.len());
    }
    let mut elements: Vec<_> = ours.iter().map(|(key, value)| (*key, *value)).collect();
    let mut expected: Vec<_> = real.into_iter().collect();
    elements.sort();
    expected.sort();
    assert_eq!(elements, expected);
    let clone = ours.clone();
    let mut drained: Vec<_> = ours.drain().collect();
    let mut moved: Vec<_> = clone.into_iter().collect();
    drained.sort();
    moved.sort();
    assert!(ours.is_empty());
    assert_eq!((&drained, &moved), (&expected, &expected));
}

#[test]
fn the_same_answers_as_std() {
    compare_with_std::<Fixed>();
    compare_with_std::<Coarse>();
}

#[test]
fn the_layout_of_the_real_one() {
    assert_eq!(
        size_of::<HashMap<String, u8, std::hash::RandomState>>(),
        size_of::<std::collections::HashMap<String, u8>>()
    );
    assert_eq!(size_of::<Option<HashSet<u8, Fixed>>>(), size_of::<Option<std::collections::HashSet<u8, Fixed>>>());
    let mut ours: HashMap<u32, (), Fixed> = HashMap::with_hasher(Fixed::default());
    let mut real: std::collections::HashMap<u32, (), Fixed> = Default::default();
    for key in 0..1000 {
        assert_eq!(ours.capacity(), real.capacity());
        ours.insert(key, ());
        real.insert(key, ());
    }
}

/// Counts its drops; panics when compared with 13, or when it is 99 and dropped.
struct Watched {
    number: u32,
    drops: Rc<Cell<u32>>,
}

impl Hash for Watched {
    fn hash<H: Hasher>(&self, state: &mut H) {
        assert!(self.number != 77, "hashed 77");
        (self.number % 3).hash(state);
    }
}

impl PartialEq for Watched {
    fn eq(&self, other: &Watched) -> bool {
        assert!(self.number != 13 && other.number != 13, "compared 13");
        self.number == other.number
    }
}

impl Eq for Watched {}

impl Drop for Watched {
    fn drop(&mut self) {
        self.drops.set(self.drops.get() + 1);
        assert!(self.number != 99 || std::thread::panicking(), "dropped 99");
    }
}

#[test]
fn every_element_is_dropped_once() {
    let drops = Rc::new(Cell::new(0));
    let made = Cell::new(0);
    let make = |number| {
        made.set(made.get() + 1);
        Watched { number, drops: Rc::clone(&drops) }
    };
    let mut map: HashMap<Watched, Watched, Fixed> = HashMap::with_hasher(Fixed::default());
    for number in 0..13 {
        map.insert(make(number), make(number));
    }
    let before = map.len();
    let failed = |result: std::thread::Result<()>| assert!(result.is_err());
    failed(catch_unwind(AssertUnwindSafe(|| drop(map.insert(make(13), make(13))))));
    failed(catch_unwind(AssertUnwindSafe(|| drop(map.remove(&make(77))))));
    failed(catch_unwind(AssertUnwindSafe(|| map.retain(|key, _| if key.number == 5 { panic!("5") } else { true }))));
    assert_eq!(map.len(), before);
    map.insert(make(4), make(4));
    drop(map.drain().next());
    assert!(map.is_empty());
    map.insert(make(99), make(1));
    map.insert(make(2), make(2));
    failed(catch_unwind(AssertUnwindSafe(|| map.clear())));
    assert!(map.is_empty());
    map.insert(make(3), make(3));
    assert_eq!(map.iter().count(), 1);
    let mut rest = map.into_iter();
    rest.next();
    drop(rest);
    assert_eq!(drops.get(), made.get());
}

#[test]
fn sets() {
    let mut set: HashSet<String, Fixed> = HashSet::with_hasher(Fixed::default());
    assert!(set.insert("a".to_owned()));
    assert!(!set.insert("a".to_owned()));
    assert_eq!(set.get_or_insert_with("b", str::to_owned), "b");
    assert_eq!(set.replace("b".to_owned()).as_deref(), Some("b"));
    assert_eq!(set.take("a").as_deref(), Some("a"));
    assert!(set.contains("b") && !set.contains("a"));
    set.extend(["x".to_owned(), "y".to_owned()]);
    let mut values: Vec<_> = set.extract_if(|value| value != "b").collect();
    values.sort();
    assert_eq!(values, ["x", "y"]);
}

#[test]
fn disjoint() {
    let mut map: HashMap<u8, u8, Fixed> = HashMap::with_hasher(Fixed::default());
    map.extend([(1, 10), (2, 20)]);
    let [one, none, two] = map.get_disjoint_mut([&1, &3, &2]);
    assert_eq!((one.as_deref(), none, two.as_deref()), (Some(&10), None, Some(&20)));
    std::mem::swap(one.expect("it is there"), two.expect("it is there"));
    assert_eq!(map.get(&1), Some(&20));
    assert!(catch_unwind(AssertUnwindSafe(|| map.get_disjoint_mut([&1, &1]).len())).is_err());
}
