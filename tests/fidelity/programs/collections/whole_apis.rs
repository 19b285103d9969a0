use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::*;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
use std::ops::Bound::*;
#[derive(Default)]
struct Fnv(u64);
impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, b: &[u8]) {
        for x in b {
            self.0 = (self.0 ^ u64::from(*x)).wrapping_mul(0x100000001b3);
        }
    }
}
fn main() {
    let mut m: BTreeMap<i32, String> = (0..20).map(|i| (i * 3 % 20, format!("v{i}"))).collect();
    println!("{:?}", m.range(3..9).collect::<Vec<_>>());
    println!("{:?}", m.range((Excluded(3), Included(9))).map(|(k, _)| *k).rev().collect::<Vec<_>>());
    for (_, v) in m.range_mut(..5) {
        v.push('!');
    }
    let hi = m.split_off(&10);
    println!("{m:?} {}", hi.len());
    m.retain(|k, _| k % 2 == 0);
    println!("{:?}", m.first_key_value());
    println!("{:?}", m.last_entry().map(|e| *e.key()));
    println!("{:?}", m.pop_first());
    *m.entry(100).or_insert_with(String::new) += "x";
    m.entry(100).and_modify(|s| s.push('y')).or_default();
    println!("{:?}", m.into_values().collect::<Vec<_>>());
    let mut h: HashMap<&str, i32, BuildHasherDefault<Fnv>> = HashMap::default();
    for w in "a b c a b a".split(' ') {
        *h.entry(w).or_insert(0) += 1;
    }
    let mut v: Vec<_> = h.iter().collect();
    v.sort();
    println!("{v:?}");
    match h.entry("a") {
        Entry::Occupied(mut o) => {
            println!("{}", o.insert(9));
            println!("{:?}", o.remove_entry());
        }
        Entry::Vacant(_) => unreachable!(),
    }
    println!("{:?}", h.get_key_value("b"));
    println!("{:?}", h.remove("zz"));
    let mut s = DefaultHasher::new();
    (1u8, "abc", [1i32, 2], Some('x')).hash(&mut s);
    println!("{:x}", s.finish());
    println!("{}", BuildHasherDefault::<Fnv>::default().hash_one("k"));
    let mut d: VecDeque<i32> = (0..6).collect();
    d.rotate_left(2);
    d.push_front(-1);
    d.swap(0, 3);
    println!("{d:?} {:?}", d.as_slices().0.len() + d.as_slices().1.len());
    d.make_contiguous().sort_by(|a, b| b.cmp(a));
    println!("{d:?} {:?} {:?}", d.binary_search_by(|x| 3.cmp(x)), d.iter().rev().step_by(2).collect::<Vec<_>>());
    d.drain(1..3);
    d.truncate(3);
    d.resize(5, 7);
    d.insert(2, 42);
    println!("{d:?} {:?}", d.range(1..3).copied().collect::<Vec<_>>());
    let mut b: BinaryHeap<_> = [3, 1, 4, 1, 5].into_iter().map(std::cmp::Reverse).collect();
    if let Some(mut t) = b.peek_mut() {
        t.0 = 10;
    }
    println!("{:?} {:?}", b.pop(), b.into_sorted_vec());
    let a: BTreeSet<_> = (1..6).collect();
    let c = BTreeSet::from([4, 5, 6]);
    println!("{:?} {:?} {:?} {:?} {}", &a & &c, &a | &c, &a - &c, &a ^ &c, a.is_disjoint(&c));
    let mut l: LinkedList<_> = [1, 2, 3].into();
    let mut t = l.split_off(1);
    t.append(&mut l);
    println!("{t:?} {}", l.is_empty());
    let hs: HashSet<u8> = HashSet::from([1, 2]);
    println!("{:?} {}", hs.get(&1), hs.is_superset(&[1].into()));
    println!("{:?}", BTreeMap::from([((1, 'a'), [0u8; 2]), ((0, 'z'), [1; 2])]));
    println!("{:#?}", BTreeMap::from([(1, vec![(1, "x")])]));
}
