// Hash maps and sets through everything that does not show their order.
use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> { let mut all: Vec<T> = items.into_iter().collect(); all.sort(); all }
#[derive(Default)]
struct Sum(u64);
impl Hasher for Sum { fn finish(&self) -> u64 { self.0 } fn write(&mut self, bytes: &[u8]) { for byte in bytes { self.0 = self.0.wrapping_mul(31).wrapping_add(u64::from(*byte)); } } }
#[derive(Hash, PartialEq, Eq, Debug, Clone, PartialOrd, Ord)]
enum Key { Unit, Pair(u8, &'static str), Named { list: Vec<i16>, flag: Option<bool> } }
fn hash(value: &impl Hash) -> u64 { let mut hasher = DefaultHasher::new(); value.hash(&mut hasher); hasher.finish() }
fn main() {
    let mut map: HashMap<String, Vec<u32>> = HashMap::new();
    for (n, word) in "the cat and the dog and the bird".split(' ').enumerate() { map.entry(word.to_owned()).or_default().push(n as u32); }
    println!("{:?}", sorted(map.iter()));
    println!("{:?} {:?} {:?}", map.get("the").cloned(), map.contains_key("cow"), map.remove("and"));
    match map.entry("cat".into()) { Entry::Occupied(mut it) => { it.get_mut().push(9); println!("{:?} {:?}", it.key().clone(), it.insert(vec![])) } Entry::Vacant(_) => unreachable!() }
    match map.entry("cow".into()) { Entry::Vacant(it) => println!("{:?}", it.insert(vec![1])), Entry::Occupied(_) => unreachable!() }
    map.entry("cow".into()).and_modify(|it| it.push(2)).or_insert_with_key(|k| vec![k.len() as u32]);
    map.entry("emu".into()).or_insert_with_key(|k| vec![k.len() as u32]);
    println!("{:?} {:?}", map.get_key_value("cow").is_some(), map.get_mut("emu").map(|it| { it.push(5); it.len() }));
    map.retain(|k, _| k.len() == 3);
    println!("{:?} {:?}", sorted(map.keys().cloned()), sorted(map.values().map(Vec::len)));
    println!("{:?} {:?}", sorted(map.drain()).len(), map.is_empty());
    let keys = [Key::Unit, Key::Pair(1, "x"), Key::Named { list: vec![-1, 2], flag: Some(true) }];
    let counts: HashMap<Key, usize> = keys.iter().cloned().chain([Key::Unit]).fold(HashMap::new(), |mut map, key| { *map.entry(key).or_insert(0) += 1; map });
    println!("{:?} {}", sorted(counts.iter()), counts[&keys[0]]);
    for key in &keys { println!("{:016x}", hash(key)); }
    println!("{:016x} {:016x} {:016x} {:016x}", hash(&1u8), hash(&"text"), hash(&(1u32, 'c', [1u16, 2])), hash(&vec![String::from("a")]));
    println!("{:016x} {:016x} {:016x}", hash(&()), hash(&Some(-1i128)), hash(&BTreeMap::from([(1, 2)])));
    let mut sums: HashMap<u32, u32, BuildHasherDefault<Sum>> = HashMap::default();
    for n in 0..100 { sums.insert(n * 7, n); }
    println!("{} {:?} {:016x}", sums.len(), sums.get(&77), sums.hasher().hash_one("abc"));
    println!("{:?}", sums.extract_if(|k, _| k % 2 == 0).count());
    let (a, b): (HashSet<u8>, HashSet<u8>) = ((0..8).collect(), (4..12).collect());
    println!("{:?} {:?}", sorted(a.intersection(&b)), sorted(a.symmetric_difference(&b)));
    println!("{:?} {:?} {:?}", sorted(&a - &b), sorted(&a | &b).len(), a.is_superset(&HashSet::from([1, 2])));
    let mut set = a.clone();
    println!("{:?} {:?} {:?} {:?}", set.insert(1), set.replace(2), set.take(&3), set.remove(&99));
    println!("{:?} {:?}", a == set, set.iter().map(|x| u32::from(*x)).sum::<u32>());
    println!("{:?} {:?}", map.try_insert_(1), set.get(&4));
    println!("{:?}", HashMap::from([(1, 'a'), (2, 'b')]) == HashMap::from([(2, 'b'), (1, 'a')]));
    let mut pair = HashMap::from([("a", 1), ("b", 2)]);
    println!("{:?}", pair.get_disjoint_mut(["a", "c"]).map(|it| it.map(|x| *x)));
    println!("{}", std::panic::catch_unwind(|| HashMap::<u8, u8>::new()[&1]).is_err());
    let mut big: HashSet<u64> = HashSet::with_capacity(10);
    for n in 0..500u64 { big.insert(n.wrapping_mul(0x9e3779b97f4a7c15)); if n % 2 == 0 { big.remove(&(n / 2).wrapping_mul(0x9e3779b97f4a7c15)); } }
    println!("{} {}", big.len(), big.capacity() >= big.len());
    big.shrink_to_fit();
    println!("{:?}", big.iter().fold(0u64, |x, y| x ^ y));
}
trait TryInsert { fn try_insert_(&mut self, n: u32) -> bool; }
impl TryInsert for HashMap<String, Vec<u32>> { fn try_insert_(&mut self, n: u32) -> bool { self.insert(n.to_string(), vec![]).is_none() } }
