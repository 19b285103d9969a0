// Which calls adapters make; sets, maps, heaps, lists, slices, texts.
use std::cell::*;
use std::collections::*;
use std::ops::*;
use std::rc::*;
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct K(u8, &'static str);
#[derive(Clone)]
struct Ev<'a>(std::ops::Range<u32>, &'a RefCell<Vec<String>>, &'static str);
impl Iterator for Ev<'_> {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        let x = self.0.next();
        self.1.borrow_mut().push(format!("{}n{x:?}", self.2));
        x
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.1.borrow_mut().push(format!("{}h", self.2));
        self.0.size_hint()
    }
}
impl DoubleEndedIterator for Ev<'_> {
    fn next_back(&mut self) -> Option<u32> {
        let x = self.0.next_back();
        self.1.borrow_mut().push(format!("{}b{x:?}", self.2));
        x
    }
}
impl ExactSizeIterator for Ev<'_> {}
fn main() {
    let l = RefCell::new(vec![]);
    let e = |n, r: Range<u32>| Ev(r, &l, n);
    let fl = |s: &str| println!("{s} {}", l.take().join(" ").replace("Some", ""));
    println!("{:?}", e("a", 0..2).zip(e("b", 0..3)).collect::<Vec<_>>());
    fl("zip");
    println!("{:?}", e("a", 0..3).zip(e("b", 0..2)).rev().collect::<Vec<_>>());
    fl("ziprev");
    println!("{:?}", e("a", 0..2).chain(e("b", 5..6)).rev().collect::<VecDeque<_>>());
    fl("chain");
    println!("{:?}", e("a", 0..5).skip(1).step_by(2).collect::<Box<[_]>>());
    fl("skip");
    println!("{:?}", e("a", 0..5).take(3).rev().nth(1));
    fl("take");
    println!("{:?}", e("a", 0..3).peekable().next_if(|x| *x == 1));
    fl("peek");
    let mut v = vec![9];
    v.extend(e("a", 0..2));
    fl("ext");
    println!("{:?} {:?}", e("a", 0..4).max_by_key(|x| x % 2), e("a", 0..4).min_by_key(|x| x % 2));
    fl("max");
    println!("{:?}", e("a", 0..3).cmp(e("b", 0..2)));
    fl("cmp");
    println!("{:?}", e("a", 0..3).fuse().last());
    fl("last");
    println!("{:?}", e("a", 0..3).flat_map(|x| 0..x).rev().collect::<Vec<_>>());
    fl("flat");
    println!("{:?}", e("a", 0..3).map(|x| if x == 1 { None } else { Some(x) }).collect::<Option<Vec<_>>>());
    fl("opt");
    println!("{:?}", e("a", 0..3).try_fold(0u8, |a, x| a.checked_sub(x as u8)));
    fl("tf");
    println!("{:?}", e("a", 0..4).rposition(|x| x == 2));
    fl("rpos");
    println!("{}", e("a", 0..2).map(|x| x.to_string()).collect::<String>());
    fl("str");
    println!("{:?}", e("a", 0..4).array_chunk());
    fl("ac");
    println!("{:?}", v.splice(0..1, e("s", 7..9)).collect::<Vec<_>>());
    fl("splice");
    println!("{v:?} {:?}", e("a", 0..3).is_sorted());
    fl("sorted");
    println!("{:?}", e("a", 0..3).unzip_it());
    fl("unzip");
    println!("{:?}", e("q", 0..3).cycle().skip(2).take(3).collect::<LinkedList<_>>());
    fl("cycle");
    println!("{:?}", e("a", 0..2).sum::<u32>() + e("b", 1..3).product::<u32>());
    fl("sum");
    println!("{:?}", e("p", 0..6).partition::<Vec<_>, _>(|x| x % 3 == 0));
    fl("part");
    let mut m: BTreeMap<K, i32> = [(K(2, "b"), 1), (K(1, "z"), 2), (K(1, "a"), 3)].into();
    println!("{m:?} {:?} {:?}", m.range(K(1, "b")..).next(), m.range(..=K(1, "z")).next_back());
    *m.entry(K(5, "e")).or_insert_with_key(|k| k.0 as i32) += 1;
    m.entry(K(5, "e")).and_modify(|v| *v *= 7).or_default();
    println!("{:?} {:?}", m.first_entry().map(|e| e.remove_entry()), m.pop_last());
    let mut n = m.split_off(&K(2, ""));
    n.append(&mut BTreeMap::from([(K(0, ""), 0)]));
    println!("{m:?} {n:?} {:?}", n.extract_if(.., |_, v| *v == 0).collect::<Vec<_>>());
    n.retain(|k, v| {
        *v += 1;
        k.0 > 9
    });
    println!("{n:?} {:?}", m.lower_bound_it());
    let s: BTreeSet<_> = [5, 1, 3].into();
    let t = BTreeSet::from([3, 4, 5]);
    println!("{:?} {:?} {:?} {:?} {:?}", &s & &t, &s | &t, &s ^ &t, &s - &t, s.intersection(&t).rev_it());
    let mut d: VecDeque<i32> = (0..5).collect();
    d.rotate_left(2);
    d.push_front(9);
    d.extend([7, 8]);
    d.truncate(7);
    d.swap_remove_front(2);
    println!(
        "{d:?} {:?} {:?} {:?}",
        d.range(1..3).collect::<Vec<_>>(),
        d.binary_search(&9).is_ok(),
        d.iter().rev().position(|x| *x == 9)
    );
    d.make_contiguous().sort_by(|a, b| b.cmp(a));
    println!(
        "{:?} {:?} {:?}",
        d.as_slices().0.to_vec(),
        d.drain(1..3).collect::<Vec<_>>(),
        d.partition_point(|x| *x > 2)
    );
    let mut h = BinaryHeap::from([3, 1, 4, 1, 5]);
    if let Some(mut p) = h.peek_mut() {
        *p = 0;
    }
    println!("{:?} {:?} {:?}", h.pop(), h.peek(), h.clone().into_sorted_vec());
    if let Some(p) = h.peek_mut() {
        println!("{}", binary_heap::PeekMut::pop(p));
    }
    h.retain(|x| x % 2 == 1);
    println!("{:?}", h.into_iter_sorted_it());
    let mut ll: LinkedList<_> = [1, 2, 3, 4].into();
    let mut b = ll.split_off(2);
    b.push_front(0);
    ll.append(&mut b);
    println!("{ll:?} {:?} {:?} {}", ll.pop_back(), ll.iter().rev().collect::<Vec<_>>(), ll.contains(&0));
    let mut hm: HashMap<_, Vec<_>> = HashMap::new();
    for (i, w) in "a b a c b a".split(' ').enumerate() {
        hm.entry(w).or_default().push(i);
    }
    let mut q: Vec<_> = hm.iter().collect();
    q.sort();
    println!("{q:?}");
    hm.retain(|_, v| v.len() > 1);
    println!(
        "{} {:?} {:?} {:?}",
        hm.len(),
        hm.remove_entry("a"),
        hm.get_key_value("b").map(|x| x.1.clone()),
        hm.insert("b", vec![])
    );
    println!("{:?}", hm.into_values().next());
    let hs: HashSet<i32> = (1..5).collect();
    println!(
        "{:?} {}",
        {
            let mut x: Vec<_> = hs.difference(&[2, 3].into()).copied().collect();
            x.sort();
            x
        },
        hs.is_superset(&HashSet::from([1]))
    );
    let mut v = vec![5, 3, 8, 1, 9, 2];
    let (a, m, c) = v.select_nth_unstable(2);
    println!("{} {} {}", a.len(), m, c.iter().all(|x| *x > 3));
    v.sort_unstable_by_key(|x| std::cmp::Reverse(*x));
    println!("{v:?} {:?} {:?}", v.chunk_by(|a, b| a - b == 1).collect::<Vec<_>>(), v.rchunks(4).collect::<Vec<_>>());
    v.dedup_by_key(|x| *x / 4);
    println!("{v:?} {:?} {:?} {:?}", v.split_first_chunk::<2>(), v.first_chunk::<9>(), v.as_chunks::<2>());
    v.insert(1, 4);
    v.fill_with({
        let mut i = 0;
        move || {
            i += 2;
            i
        }
    });
    v.copy_within(..2, 1);
    println!("{v:?} {:?} {:?}", v.concat_it(), [[1, 2], [3, 4]].concat());
    println!(
        "{:?} {:?} {:?}",
        [vec![1], vec![2, 3]].join(&0),
        ["a", "b"].join("-"),
        v.iter().rev().skip_while(|x| **x > 2).collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?}",
        v.split_inclusive(|x| *x == 2).collect::<Vec<_>>(),
        v.rsplitn(2, |x| *x == 2).collect::<Vec<_>>()
    );
    println!("{:?} {:?}", v.binary_search_by(|p| p.cmp(&3)), v.extract_if(.., |x| *x == 2).count());
    let mut ar = [[0u8; 2]; 2];
    ar.as_flattened_mut()[3] = 9;
    println!("{ar:?} {:?} {:?}", [3, 1, 2].map(|x| x * 2), v.get_disjoint_mut([0]).map(|[x]| *x));
    println!(
        "{:?} {:?} {:?}",
        "a,b,,c".rsplitn(2, ',').collect::<Vec<_>>(),
        "xAbBx".trim_matches(|c: char| c == 'x'),
        "aXbYc".split_inclusive(char::is_uppercase).collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?} {:?}",
        "ababa".match_indices("aba").collect::<Vec<_>>(),
        "ababa".rmatch_indices("ba").collect::<Vec<_>>(),
        "añb".char_indices().rev().collect::<Vec<_>>()
    );
    println!(
        "{:?} {:?} {:?} {:?}",
        "k=v=w".split_once('='),
        "k=v=w".rsplit_once(&['=', ':']),
        " a  b ".split_whitespace().rev().collect::<Vec<_>>(),
        "l1\r\nl2\n\n".lines().collect::<Vec<_>>()
    );
    println!(
        "{} {} {:?} {:?}",
        "ßŉİ".to_uppercase(),
        "ΑΣ ΣΑΣ".to_lowercase(),
        'ß'.to_uppercase().collect::<Vec<_>>(),
        "\u{1F600}\u{7f}\u{a0}é\"'".escape_debug().to_string()
    );
    println!("{:?} {:?}", "abc".get(1..9), "aé".bytes().rev().map(|b| b as char).collect::<String>());
    println!("{:?} {:?}", Rc::<[_]>::from(vec![1, 2]), Rc::<str>::from("x").to_uppercase());
}
trait Ac: Iterator + Sized {
    fn array_chunk(mut self) -> Option<[Self::Item; 2]> {
        Some([self.next()?, self.next()?])
    }
    fn unzip_it(self) -> (Vec<Self::Item>, Vec<Self::Item>)
    where
        Self::Item: Copy,
    {
        self.map(|x| (x, x)).unzip()
    }
    fn rev_it(self) -> Vec<Self::Item> {
        let mut v: Vec<_> = self.collect();
        v.reverse();
        v
    }
}
impl<I: Iterator> Ac for I {}
trait Lb {
    fn lower_bound_it(&self) -> usize;
}
impl<K2, V> Lb for BTreeMap<K2, V> {
    fn lower_bound_it(&self) -> usize {
        self.len()
    }
}
trait Hs<T> {
    fn into_iter_sorted_it(self) -> Vec<T>;
}
impl<T: Ord> Hs<T> for BinaryHeap<T> {
    fn into_iter_sorted_it(self) -> Vec<T> {
        self.into_sorted_vec()
    }
}
trait Ci {
    fn concat_it(&self) -> String;
}
impl Ci for Vec<i32> {
    fn concat_it(&self) -> String {
        self.iter().map(i32::to_string).collect::<Vec<_>>().concat()
    }
}
