use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::hash_map::Entry;
use std::collections::*;
use std::ops::Bound::*;
fn sorted<K: Ord + Clone, V: Clone + Ord>(m: &HashMap<K, V>) -> Vec<(K, V)> {
    let mut v: Vec<_> = m.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    v.sort();
    v
}
fn main() {
    let mut m: HashMap<String, i32> = HashMap::new();
    for w in "a b a c b a".split(' ') {
        *m.entry(w.to_string()).or_insert(0) += 1;
    }
    m.entry("z".into()).or_insert_with(|| 9);
    m.entry("a".into()).and_modify(|x| *x *= 10).or_default();
    m.entry("key".into()).or_insert_with_key(|k| k.len() as i32);
    println!("{:?}", sorted(&m));
    match m.entry("b".into()) {
        Entry::Occupied(mut o) => {
            println!("{} {}", o.key(), o.get());
            *o.get_mut() += 1;
            println!("{}", o.insert(50));
            println!("{:?}", o.remove_entry());
        }
        Entry::Vacant(_) => {}
    }
    match m.entry("new".into()) {
        Entry::Occupied(_) => {}
        Entry::Vacant(v) => {
            println!("{}", v.key());
            *v.insert(3) += 1;
        }
    }
    m.retain(|k, v| {
        *v += 1;
        k.len() == 1
    });
    println!("{:?} {}", sorted(&m), m.len());
    println!("{:?}", m.get_key_value("a"));
    println!("{:?} {:?}", m.remove("zz"), m.contains_key("c"));
    let mut ex: Vec<_> = m.extract_if(|_, v| *v > 5).collect();
    ex.sort();
    println!("{ex:?} {:?}", sorted(&m));
    m.extend([("x".to_string(), 1), ("y".to_string(), 2)]);
    for v in m.values_mut() {
        *v *= 2
    }
    let mut ks: Vec<_> = m.keys().cloned().collect();
    ks.sort();
    println!("{ks:?} {}", m.values().sum::<i32>());
    let mut dr: Vec<_> = m.drain().collect();
    dr.sort();
    println!("{dr:?} {}", m.is_empty());
    let m2: HashMap<_, _> = [(1, 'a'), (2, 'b')].into();
    println!("{} {}", m2 == HashMap::from([(2, 'b'), (1, 'a')]), m2[&1]);
    let mut gm: HashMap<&str, Vec<u32>> = HashMap::with_capacity(10);
    gm.entry("p").or_default().push(1);
    gm.entry("p").or_default().push(2);
    println!("{gm:?}");
    let mut hm = HashMap::from([("a", 1), ("b", 2)]);
    let [a, b] = hm.get_disjoint_mut(["a", "b"]);
    std::mem::swap(a.unwrap(), b.unwrap());
    println!("{:?}", sorted(&hm));
    let a: HashSet<i32> = (1..6).collect();
    let b: HashSet<i32> = (4..9).collect();
    let s = |it: Vec<i32>| {
        let mut v = it;
        v.sort();
        v
    };
    println!(
        "{:?} {:?} {:?} {:?}",
        s(a.intersection(&b).copied().collect()),
        s(a.union(&b).copied().collect()),
        s(a.difference(&b).copied().collect()),
        s(a.symmetric_difference(&b).copied().collect())
    );
    println!(
        "{:?} {:?} {}",
        s((&a & &b).into_iter().collect()),
        s((&a - &b).into_iter().collect()),
        a.is_subset(&b)
    );
    let mut hs = HashSet::new();
    println!(
        "{} {} {:?} {:?} {}",
        hs.insert("a"),
        hs.insert("a"),
        hs.replace("a"),
        hs.take("a"),
        hs.is_disjoint(&HashSet::from(["q"]))
    );
    let mut b: BTreeMap<i32, &str> = (0..20).map(|i| (i, if i % 2 == 0 { "e" } else { "o" })).collect();
    for (_, v) in b.range_mut(3..6) {
        *v = "!"
    }
    println!("{:?}", b.range(2..=6).collect::<Vec<_>>());
    let hi = b.split_off(&10);
    println!("{} {} {:?} {:?}", b.len(), hi.len(), hi.first_key_value(), b.last_key_value());
    let mut more = BTreeMap::from([(3, "three"), (100, "h")]);
    b.append(&mut more);
    println!("{b:?} {}", more.len());
    b.retain(|k, _| k % 3 == 0);
    println!("{b:?} {:?} {:?}", b.pop_first(), b.pop_last());
    println!("{:?} {:?}", b.range((Excluded(3), Unbounded)).next(), b.range(..=3).next_back());
    if let Some(mut e) = b.first_entry() {
        *e.get_mut() = "first";
    }
    println!("{b:?} {:?}", b.iter().rev().map(|x| x.0).collect::<Vec<_>>());
    let ex: Vec<_> = b.extract_if(.., |k, _| *k > 3).collect();
    println!("{ex:?} {b:?}");
    let mut bs: BTreeSet<char> = "hello world".chars().collect();
    println!("{bs:?} {:?} {:?} {:?}", bs.range('f'..'p').collect::<String>(), bs.first(), 0);
    println!("{:?}", bs.pop_last());
    println!("{:?}", bs.split_off(&'l'));
    let mut big: BTreeMap<u32, u32> = BTreeMap::new();
    for i in 0..300u32 {
        big.insert(i.wrapping_mul(7919) % 1009, i);
    }
    for i in 0..200u32 {
        big.remove(&(i.wrapping_mul(7919) % 1009));
    }
    println!("{} {:?} {}", big.len(), big.iter().next(), big.values().map(|&x| x as u64).sum::<u64>());
    let mut cur: BTreeMap<String, Vec<i32>> = BTreeMap::new();
    for (i, w) in ["x", "y", "x"].iter().enumerate() {
        cur.entry(w.to_string()).or_default().push(i as i32);
    }
    println!("{cur:#?}");
    let mut d: VecDeque<i32> = (1..=5).collect();
    d.rotate_left(2);
    d.push_front(0);
    d.push_back(9);
    println!("{d:?} {:?} {:?}", d.front(), d.back());
    d.make_contiguous().sort_by(|a, b| b.cmp(a));
    println!("{d:?} {:?}", d.as_slices().0);
    d.insert(2, 77);
    d.swap(0, 1);
    println!("{:?} {:?}", d.remove(2), d);
    println!("{:?}", d.drain(1..3).collect::<Vec<_>>());
    println!("{:?} {:?}", d.iter().rev().collect::<Vec<_>>(), d.binary_search_by(|x| 9.cmp(x)));
    d.truncate(2);
    d.extend([5, 6]);
    let t = d.split_off(2);
    println!("{d:?} {t:?} {:?}", d.range(..1).collect::<Vec<_>>());
    d.resize(4, -1);
    d.retain(|x| *x != 9);
    println!("{d:?} {}", d.contains(&-1));
    for x in d.iter_mut() {
        *x += 1
    }
    println!("{:?} {}", Vec::from(d.clone()), d == [d[0], 0, 0]);
    let mut l: LinkedList<u8> = LinkedList::from([1, 2, 3]);
    l.push_front(0);
    let mut l2 = l.split_off(2);
    l2.append(&mut l);
    println!("{:?}", l2.pop_back());
    println!("{l2:?} {l:?}");
    println!("{:?}", l2.iter().rev().collect::<Vec<_>>());
    let mut h = BinaryHeap::from(vec![3, 1, 4, 1, 5, 9, 2, 6]);
    println!("{:?} {}", h.peek(), h.len());
    {
        let mut p = h.peek_mut().unwrap();
        *p = 0;
    }
    println!("{:?}", h.pop());
    if let Some(p) = h.peek_mut() {
        println!("{}", PeekMut::pop(p));
    }
    h.push(10);
    println!("{:?}", h.clone().into_sorted_vec());
    let mut o = BinaryHeap::from([7]);
    h.append(&mut o);
    h.retain(|x| x % 2 == 1);
    println!("{:?}", h.into_sorted_vec());
    let mut r = BinaryHeap::new();
    for (c, n) in [(3, "c"), (1, "a"), (2, "b")] {
        r.push(Reverse((c, n)));
    }
    while let Some(Reverse((c, n))) = r.pop() {
        print!("{c}{n} ");
    }
    println!();
    let mut v = vec![1, 2, 3, 4, 5, 6];
    println!("{:?} {:?}", v.splice(1..3, [20, 30, 40]).collect::<Vec<_>>(), v);
    println!("{:?} {v:?}", v.extract_if(.., |x| *x % 20 == 0).collect::<Vec<_>>());
    v.dedup_by_key(|x| *x / 10);
    println!("{v:?} {:?} {:?}", v.swap_remove(0), v.iter().position(|&x| x == 4));
    v.sort_unstable_by_key(|x| Reverse(*x));
    println!(
        "{v:?} {:?} {:?}",
        v.chunks(2).map(|c| c.iter().sum::<i32>()).collect::<Vec<_>>(),
        v.partition_point(|&x| x > 4)
    );
}
