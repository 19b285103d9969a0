use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Id(u32),
    Name(String, bool),
    Unit,
}

#[derive(Debug, Eq, Clone)]
struct NoCase(String);
impl PartialEq for NoCase {
    fn eq(&self, o: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&o.0)
    }
}
impl Hash for NoCase {
    fn hash<H: Hasher>(&self, h: &mut H) {
        for b in self.0.bytes() {
            h.write_u8(b.to_ascii_lowercase());
        }
    }
}

#[derive(Default)]
struct Fnv(u64);
impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ *b as u64).wrapping_mul(0x100000001b3);
        }
    }
}

fn sorted<K: Ord, V: Ord>(m: HashMap<K, V, impl std::hash::BuildHasher>) -> Vec<(K, V)> {
    let mut v: Vec<_> = m.into_iter().collect();
    v.sort();
    v
}

fn hash_of<T: Hash>(t: &T) -> u64 {
    let mut h = DefaultHasher::new();
    t.hash(&mut h);
    h.finish()
}

fn main() {
    let mut m = HashMap::new();
    for w in "the cat the dog the end".split(' ') {
        *m.entry(w).or_insert(0) += 1;
    }
    println!("{:?} {:?} {}", m.get("the"), m.get("cow"), m["dog"]);
    println!("{:?} {:?}", m.insert("cat", 10), m.insert("cow", 1));
    println!("{:?} {:?} {}", m.remove("end"), m.remove("none"), m.len());
    match m.entry("dog") {
        Entry::Occupied(mut e) => *e.get_mut() += 100,
        Entry::Vacant(_) => unreachable!(),
    }
    m.entry("emu").and_modify(|x| *x = 0).or_insert_with(|| 7);
    println!("{:?}", m.contains_key("emu"));
    m.retain(|k, v| k.len() == 3 && *v != 3);
    for v in m.values_mut() {
        *v *= 2;
    }
    println!("{:?}", sorted(m));
    let k: HashMap<Key, i32> = [(Key::Id(1), 1), (Key::Name("n".into(), true), 2), (Key::Unit, 3), (Key::Id(1), 4)].into();
    println!("{:?} {:?}", k.get(&Key::Name("n".into(), true)), k.get(&Key::Name("n".into(), false)));
    println!("{:?}", sorted(k));
    let mut n = HashSet::new();
    println!("{} {}", n.insert(NoCase("Ab".into())), n.insert(NoCase("aB".into())));
    println!("{:?}", n.get(&NoCase("AB".into())));
    println!("{:?} {:?}", n.replace(NoCase("ab".into())), n);
    let mut f: HashMap<u32, &str, BuildHasherDefault<Fnv>> = HashMap::default();
    for i in 0..50 {
        f.insert(i * 7 % 50, if i % 2 == 0 { "even" } else { "odd" });
    }
    println!("{} {:?} {:?}", f.len(), f.get(&21), f.values().filter(|v| **v == "odd").count());
    let a: HashSet<i32> = (0..6).collect();
    let b: HashSet<i32> = (3..9).collect();
    let s = |i: &mut dyn Iterator<Item = &i32>| { let mut v: Vec<_> = i.copied().collect(); v.sort(); v };
    println!("{:?} {:?}", s(&mut a.intersection(&b)), s(&mut a.difference(&b)));
    println!("{:?} {:?}", s(&mut a.union(&b)), s(&mut a.symmetric_difference(&b)));
    println!("{} {} {}", a.is_subset(&b), a.is_disjoint(&[9].into()), &a & &b == HashSet::from([3, 4, 5]));
    println!("{:x} {:x}", hash_of(&1u32), hash_of(&"abc"));
    println!("{} {}", hash_of(&(1, 2)) == hash_of(&(1, 2)), hash_of(&Key::Unit) == hash_of(&Key::Id(0)));
    println!("{:x}", hash_of(&vec![Some(1u8), None]));
    let mut big = HashMap::with_capacity(10);
    for i in 0..300u64 {
        big.insert(i, i * i);
    }
    println!("{} {} {:?}", big.len(), big.values().sum::<u64>(), big.get(&299));
    let drained: u64 = big.drain().map(|(k, _)| k).sum();
    println!("{drained} {}", big.is_empty());
}
