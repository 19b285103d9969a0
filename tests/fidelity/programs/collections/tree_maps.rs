// BTreeMap and BTreeSet: ranges, entries, retain, split_off, append, first and last.
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::*;
fn main() {
    let mut map: BTreeMap<i32, String> = (0..60).map(|x| (x * 37 % 61, format!("v{x}"))).collect();
    println!("{} {:?} {:?}", map.len(), map.first_key_value(), map.last_key_value());
    println!("{:?}", map.range(10..15).collect::<Vec<_>>());
    println!("{:?}", map.range((Excluded(10), Included(12))).rev().collect::<Vec<_>>());
    println!("{:?} {:?}", map.range(..3).next_back(), map.range(58..).map(|(k, _)| *k).collect::<Vec<_>>());
    for (_, value) in map.range_mut(20..=22) { value.push('!'); }
    println!("{:?}", map.range((Excluded(19), Excluded(23))).collect::<Vec<_>>());
    *map.entry(100).or_insert_with(|| "new".into()) += "+";
    map.entry(100).and_modify(|it| it.insert(0, '<')).or_default();
    map.entry(101).or_default().push('d');
    println!("{:?} {:?}", map.get(&100), map.get(&101));
    match map.entry(100) { Entry::Occupied(it) => println!("{} {:?}", it.key().clone(), it.remove_entry()), Entry::Vacant(_) => unreachable!() }
    match map.entry(100) { Entry::Occupied(_) => unreachable!(), Entry::Vacant(it) => println!("{} {}", it.key().clone(), it.insert("back".into())) }
    map.retain(|k, v| k % 3 == 0 && v.len() < 4);
    println!("{map:?}");
    let mut high = map.split_off(&30);
    println!("{} {} {:?}", map.len(), high.len(), high.keys().next());
    println!("{:?} {:?} {:?}", high.pop_first(), high.pop_last(), map.first_entry().map(|it| it.key() + 1));
    map.append(&mut high);
    println!("{} {} {:?}", map.len(), high.is_empty(), map.remove_entry(&33));
    println!("{:?}", map.extract_if(.., |k, _| *k < 10).map(|(k, _)| k).collect::<Vec<_>>());
    println!("{:?} {:?}", map.values().map(String::len).sum::<usize>(), map.clone().into_keys().rev().take(3).collect::<Vec<_>>());
    println!("{:?} {:?}", map.insert(12, "x".into()), map.insert(13, "y".into()));
    println!("{:?}", map.iter_mut().map(|(k, v)| { v.clear(); *k }).max());
    println!("{:?} {:?}", map == map.clone(), map.cmp(&BTreeMap::new()));
    let mut iter = map.iter();
    println!("{:?} {:?} {:?}", iter.next(), iter.next_back(), iter.len());
    let text = BTreeMap::from([("a", 1), ("b", 2)]);
    println!("{:?} {:?}", text.get("a"), text.range("aa"..).next());
    let (a, b): (BTreeSet<_>, BTreeSet<_>) = ((1..8).collect(), (5..12).step_by(2).collect());
    println!("{:?} {:?}", a.union(&b).collect::<Vec<_>>(), a.intersection(&b).collect::<Vec<_>>());
    println!("{:?} {:?}", &a - &b, &a ^ &b);
    println!("{:?} {:?}", a.is_subset(&b), a.is_disjoint(&BTreeSet::from([100])));
    println!("{:?} {:?} {:?}", a.range(3..).next(), a.first(), b.last());
    let mut set = a.clone();
    println!("{:?} {:?} {:?} {:?}", set.replace(3), set.take(&4), set.insert(4), set.insert(4));
    set.retain(|x| x % 2 == 0);
    println!("{set:?} {:?}", set.split_off(&5));
    let mut cursor: BTreeMap<(u8, u8), u8> = BTreeMap::new();
    for n in 0..200u8 { cursor.insert((n % 7, n), n); if n % 3 == 0 { cursor.remove(&(n % 7, n / 2)); } }
    println!("{} {:?}", cursor.len(), cursor.range((3, 50)..(3, 90)).map(|(_, v)| *v).collect::<Vec<_>>());
    println!("{}", std::panic::catch_unwind(|| { let _ = BTreeMap::from([(1, 1)]).range((Excluded(1), Excluded(1))).count(); }).is_err());
    println!("{}", std::panic::catch_unwind(|| { let (low, high) = (5, 3); let _ = BTreeSet::from([1]).range(low..high).count(); }).is_err());
}
