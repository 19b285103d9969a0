// Collections of keys whose equality, hash and order are the user's.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, btree_map, hash_map},
    hash::{Hash, Hasher},
};

#[derive(Clone, Debug)]
struct Word(&'static str);

impl Word {
    fn folded(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.bytes().map(|byte| byte.to_ascii_lowercase())
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.folded().eq(other.folded())
    }
}

impl Eq for Word {}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.folded().for_each(|byte| state.write_u8(byte));
    }
}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Word {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.folded().cmp(other.folded()))
    }
}

fn main() {
    let words = ["pear", "Fig", "fig", "APPLE", "kiwi", "Pear", "apple"].map(Word);
    let set: HashSet<Word> = words.iter().cloned().collect();
    println!("{} {} {}", set.len(), set.contains(&Word("FIG")), set.contains(&Word("plum")));
    let mut counts: HashMap<Word, u32> = HashMap::new();
    for word in &words {
        match counts.entry(word.clone()) {
            hash_map::Entry::Occupied(mut entry) => *entry.get_mut() += 1,
            hash_map::Entry::Vacant(entry) => _ = entry.insert(1),
        }
    }
    let mut sorted: Vec<_> = counts.iter().map(|(word, count)| (word.0.to_lowercase(), *count)).collect();
    sorted.sort_by_key(|(word, count)| (Reverse(*count), word.clone()));
    println!("{sorted:?}");
    let ordered: BTreeSet<&Word> = words.iter().collect();
    println!("{:?}", ordered.iter().map(|it| it.0).collect::<Vec<_>>());
    let mut map: BTreeMap<Word, Vec<usize>> = BTreeMap::new();
    for (at, word) in words.iter().enumerate() {
        map.entry(word.clone()).or_default().push(at);
    }
    println!("{:?}", map.range(Word("zzz")..=Word("pear")).collect::<Vec<_>>());
    if let btree_map::Entry::Occupied(entry) = map.entry(Word("kiWI")) {
        println!("{:?}", entry.remove_entry());
    }
    map.retain(|word, at| at.len() > 1 && word.0 != "APPLE");
    println!("{map:?} {:?}", map.first_key_value());
    let mut heap: BinaryHeap<Reverse<Word>> = words.into_iter().map(Reverse).collect();
    print!("{:?}", heap.peek().map(|it| it.0.0.len()));
    while let Some(Reverse(word)) = heap.pop() {
        print!(" {}", word.0.to_lowercase());
    }
    println!();
}
