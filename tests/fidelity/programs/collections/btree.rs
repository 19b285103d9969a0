use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::*;

fn main() {
    let mut m = BTreeMap::new();
    for (i, w) in ["kiwi", "apple", "fig", "date", "banana", "fig"].iter().enumerate() {
        m.entry(*w).or_insert_with(Vec::new).push(i);
    }
    println!("{:?}", m);
    println!("{:?} {:?}", m.first_key_value(), m.last_key_value());
    println!("{:?}", m.range("b".."f").collect::<Vec<_>>());
    println!("{:?}", m.range("banana"..="fig").rev().map(|(k, _)| k).collect::<Vec<_>>());
    println!("{:?}", m.range::<str, _>((Excluded("date"), Unbounded)).map(|(k, _)| *k).collect::<Vec<_>>());
    println!("{:?} {:?}", m.pop_first(), m.pop_last());
    for (_, v) in m.range_mut("c"..) {
        v.push(99);
    }
    println!("{:?}", m);
    let tail = m.split_off("date");
    println!("{:?} | {:?}", m, tail);
    m.extend(tail);
    m.append(&mut BTreeMap::from([("zoo", vec![])]));
    println!("{:?} {:?}", m.keys().collect::<Vec<_>>(), m.values().map(Vec::len).sum::<usize>());
    if let Entry::Occupied(e) = m.entry("zoo") {
        println!("{:?}", e.remove_entry());
    }
    m.retain(|_, v| v.len() > 1);
    println!("{:?} {:?}", m, m.get("date"));
    println!("{:?}", m.into_values().flatten().collect::<Vec<_>>());
    let mut big = BTreeMap::new();
    let mut x = 17u32;
    for i in 0..200 {
        x = x * 31 % 1009;
        big.insert(x, i);
    }
    println!("{} {:?}", big.len(), big.iter().take(3).collect::<Vec<_>>());
    for k in (0..1009).step_by(2) {
        big.remove(&k);
    }
    println!("{} {:?} {:?}", big.len(), big.iter().next_back(), big.range(500..).next());
    println!("{}", big.keys().zip(big.keys().skip(1)).all(|(a, b)| a < b));
    let mut e = big.first_entry().unwrap();
    *e.get_mut() = -1;
    println!("{:?}", big.first_key_value());
    let a = BTreeSet::from([1, 2, 3, 4]);
    let b: BTreeSet<_> = (3..7).collect();
    println!("{:?} {:?}", &a | &b, &a & &b);
    println!("{:?} {:?}", &a - &b, &a ^ &b);
    println!("{:?} {:?}", a.range(2..4).collect::<Vec<_>>(), a.first());
    println!("{:?} {} {:?}", a.is_subset(&b), a < b, a.iter().rev().collect::<Vec<_>>());
    let mut s = BTreeSet::new();
    println!("{} {} {:?}", s.insert((1, 'a')), s.insert((1, 'a')), s.take(&(1, 'a')));
    println!("{:?}", BTreeMap::from([((1, "b"), 'x'), ((1, "a"), 'y')]) == BTreeMap::from([((1, "a"), 'y'), ((1, "b"), 'x')]));
    println!("{:?}", BTreeMap::from([(1, 2)]) < BTreeMap::from([(1, 3)]));
}
