// Collections with user `Hash`, `Ord`, `Borrow`: ranges, entries, cursors' stable relatives, lookups by other types.
use std::borrow::Borrow;
use std::cmp::{Ordering, Reverse};
use std::collections::{btree_map, hash_map, BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
use std::ops::Bound::*;

#[derive(Debug, Clone, Eq)]
struct Caseless(String);
impl PartialEq for Caseless { fn eq(&self, other: &Self) -> bool { self.0.eq_ignore_ascii_case(&other.0) } }
impl Hash for Caseless { fn hash<H: Hasher>(&self, state: &mut H) { for b in self.0.bytes() { state.write_u8(b.to_ascii_lowercase()) } } }
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
struct Backwards(i32);
impl Ord for Backwards { fn cmp(&self, other: &Self) -> Ordering { other.0.cmp(&self.0) } }
impl PartialOrd for Backwards { fn partial_cmp(&self, other: &Self) -> Option<Ordering> { Some(self.cmp(other)) } }
#[derive(Default, Clone)]
struct Clumsy(u64);
impl Hasher for Clumsy { fn finish(&self) -> u64 { self.0 % 3 } fn write(&mut self, bytes: &[u8]) { for b in bytes { self.0 = self.0.wrapping_mul(31).wrapping_add(u64::from(*b)) } } }
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key { id: String, _rest: u8 }
impl Borrow<str> for Wrapped { fn borrow(&self) -> &str { &self.0 } }
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Wrapped(String);

fn main() {
    let mut map: HashMap<Caseless, i32, BuildHasherDefault<Clumsy>> = HashMap::default();
    for (i, word) in ["One", "TWO", "one", "three", "Two", "ONE"].iter().enumerate() { *map.entry(Caseless(word.to_string())).or_insert(0) += 1 << i; }
    let mut sorted: Vec<_> = map.iter().map(|(k, v)| (k.0.clone(), *v)).collect(); sorted.sort(); println!("{sorted:?}");
    println!("{:?}", map.get_key_value(&Caseless("ONE".into())));
    println!("{:?}", map.remove_entry(&Caseless("tWo".into())));
    println!("{:?} {:?}", map.insert(Caseless("THREE".into()), 5), map.keys().map(|k| k.0.len()).sum::<usize>());
    match map.entry(Caseless("new".into())) { hash_map::Entry::Vacant(slot) => { println!("vacant {:?}", slot.key()); slot.insert(1); } hash_map::Entry::Occupied(_) => unreachable!() }
    if let hash_map::Entry::Occupied(mut slot) = map.entry(Caseless("NEW".into())) { println!("{} {:?}", slot.insert(7), slot.key()); println!("{:?}", slot.remove_entry()); }
    map.retain(|k, _| k.0.len() > 3); println!("{} {:?}", map.len(), map.contains_key(&Caseless("three".into())));
    let state = BuildHasherDefault::<Clumsy>::default(); println!("{} {}", state.hash_one("abc"), state.hash_one((1u8, [2u16, 3])));
    let wrapped: HashSet<Wrapped> = ["x", "y"].map(|s| Wrapped(s.into())).into(); println!("{} {:?}", wrapped.contains("x"), wrapped.get("z"));
    let mut tree: BTreeMap<Backwards, char> = (0..10).map(|i| (Backwards(i), (b'a' + i as u8) as char)).collect();
    println!("{:?} {:?}", tree.first_key_value(), tree.range(Backwards(7)..=Backwards(5)).collect::<Vec<_>>());
    println!("{:?}", tree.range((Excluded(Backwards(3)), Unbounded)).map(|(k, _)| k.0).collect::<Vec<_>>()); println!("{:?}", tree.range(..Backwards(8)).next_back());
    for (_, v) in tree.range_mut(Backwards(2)..) { v.make_ascii_uppercase() } println!("{:?}", tree.values().collect::<String>());
    let low = tree.split_off(&Backwards(4)); println!("{} {} {:?}", tree.len(), low.len(), low.first_key_value()); tree.append(&mut low.clone()); println!("{:?}", tree.pop_last());
    if let btree_map::Entry::Occupied(slot) = tree.entry(Backwards(5)) { println!("{:?}", slot.remove()) } println!("{:?}", tree.get(&Backwards(5))); println!("{:?}", tree.last_entry().map(|e| *e.key()));
    println!("{:?}", std::panic::catch_unwind(|| BTreeSet::from([1, 2]).range((Excluded(2), Excluded(2))).count()).is_err());
    let words: BTreeSet<Wrapped> = ["pear", "apple", "fig"].map(|s| Wrapped(s.into())).into(); println!("{:?} {:?}", words.range::<str, _>((Included("b"), Excluded("g"))).collect::<Vec<_>>(), words.contains("fig"));
    let (a, b): (BTreeSet<i32>, BTreeSet<i32>) = ((0..8).collect(), (5..12).step_by(2).collect()); println!("{:?} {:?} {:?} {:?}", &a & &b, (&b - &a), &a ^ &b, a.is_disjoint(&b)); println!("{:?} {:?}", a.union(&b).max(), a.intersection(&b).is_sorted());
    let mut heap: BinaryHeap<(Reverse<u32>, &str)> = [(3, "c"), (1, "a"), (2, "b")].map(|(n, s)| (Reverse(n), s)).into(); heap.push((Reverse(0), "z")); println!("{:?} {:?} {}", heap.pop(), heap.peek(), heap.len()); println!("{:?}", heap.into_sorted_vec());
    let mut deque: VecDeque<i32> = (0..6).collect(); deque.rotate_right(2); deque.push_front(-1); deque.swap_remove_front(3); deque.extend([8, 9]); println!("{deque:?} {:?} {:?}", deque.as_slices().0.len() + deque.as_slices().1.len(), deque.binary_search(&9).is_ok()); deque.make_contiguous().sort(); println!("{deque:?} {:?} {:?}", deque.partition_point(|x| *x < 3), deque.range(1..3).collect::<Vec<_>>()); deque.retain(|x| x % 2 == 0); deque.insert(1, 77); println!("{:?}", deque.iter().rev().collect::<Vec<_>>()); println!("{:?}", deque.remove(0)); println!("{:?}", deque.split_off(1));
    let key = Key { id: "k".into(), _rest: 1 }; let nested: BTreeMap<Key, BTreeMap<u8, Vec<&str>>> = BTreeMap::from([(key, BTreeMap::from([(1, vec!["x"])]))]); println!("{nested:?} {:?}", nested.iter().flat_map(|(k, v)| v.values().flatten().map(|s| format!("{}{s}", k.id))).collect::<Vec<_>>());
    let mut counts: BTreeMap<char, usize> = BTreeMap::new(); for c in "mississippi".chars() { *counts.entry(c).or_default() += 1; } let mut by: Vec<_> = counts.into_iter().collect(); by.sort_by_key(|(c, n)| (Reverse(*n), *c)); println!("{by:?}");
}
