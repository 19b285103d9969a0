//! An LRU cache over an index-linked list, with statistics and a memoising wrapper.
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

const NIL: usize = usize::MAX;

struct Entry<K, V> {
    key: K,
    value: V,
    prev: usize,
    next: usize,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Stats {
    hits: u32,
    misses: u32,
    evicted: u32,
}

struct Lru<K, V> {
    map: HashMap<K, usize>,
    slots: Vec<Option<Entry<K, V>>>,
    free: Vec<usize>,
    head: usize,
    tail: usize,
    cap: usize,
    stats: Stats,
}

impl<K: Hash + Eq + Clone, V> Lru<K, V> {
    fn new(cap: usize) -> Self {
        assert!(cap > 0, "capacity must be positive");
        Lru { map: HashMap::new(), slots: Vec::with_capacity(cap), free: vec![], head: NIL, tail: NIL, cap, stats: Stats::default() }
    }

    fn entry(&mut self, i: usize) -> &mut Entry<K, V> {
        self.slots[i].as_mut().expect("live slot")
    }

    fn unlink(&mut self, i: usize) {
        let (prev, next) = {
            let e = self.entry(i);
            (e.prev, e.next)
        };
        if prev == NIL { self.head = next } else { self.entry(prev).next = next }
        if next == NIL { self.tail = prev } else { self.entry(next).prev = prev }
    }

    fn link_front(&mut self, i: usize) {
        let head = self.head;
        let e = self.entry(i);
        e.prev = NIL;
        e.next = head;
        if head == NIL { self.tail = i } else { self.entry(head).prev = i }
        self.head = i;
    }

    fn get<Q>(&mut self, k: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        match self.map.get(k).copied() {
            Some(i) => {
                self.stats.hits += 1;
                self.unlink(i);
                self.link_front(i);
                Some(&mut self.entry(i).value)
            }
            None => {
                self.stats.misses += 1;
                None
            }
        }
    }

    fn take(&mut self, i: usize) -> (K, V) {
        self.unlink(i);
        let Entry { key, value, .. } = self.slots[i].take().unwrap();
        self.map.remove(&key);
        self.free.push(i);
        (key, value)
    }

    fn put(&mut self, key: K, value: V) -> Option<(K, V)> {
        if let Some(&i) = self.map.get(&key) {
            let old = std::mem::replace(&mut self.entry(i).value, value);
            self.unlink(i);
            self.link_front(i);
            return Some((key, old));
        }
        let evicted = if self.map.len() == self.cap {
            self.stats.evicted += 1;
            Some(self.take(self.tail))
        } else {
            None
        };
        let e = Entry { key: key.clone(), value, prev: NIL, next: NIL };
        let i = match self.free.pop() {
            Some(i) => {
                self.slots[i] = Some(e);
                i
            }
            None => {
                self.slots.push(Some(e));
                self.slots.len() - 1
            }
        };
        self.map.insert(key, i);
        self.link_front(i);
        evicted
    }

    fn remove(&mut self, k: &K) -> Option<V> {
        let i = *self.map.get(k)?;
        Some(self.take(i).1)
    }

    fn iter(&self) -> impl Iterator<Item = (&K, &V)> + '_ {
        let mut at = self.head;
        std::iter::from_fn(move || {
            let e = self.slots.get(at)?.as_ref()?;
            at = e.next;
            Some((&e.key, &e.value))
        })
    }
}

impl<K: Debug + Hash + Eq + Clone, V: Debug> Debug for Lru<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

struct Memo<F> {
    f: F,
    cache: Lru<u64, u64>,
    calls: u32,
}
impl<F: Fn(&mut dyn FnMut(u64) -> u64, u64) -> u64 + Copy> Memo<F> {
    fn call(&mut self, n: u64) -> u64 {
        if let Some(v) = self.cache.get(&n) {
            return *v;
        }
        self.calls += 1;
        let f = self.f;
        let v = f(&mut |m| self.call(m), n);
        self.cache.put(n, v);
        v
    }
}

struct Loud(&'static str);
impl Drop for Loud {
    fn drop(&mut self) {
        println!("  drop {}", self.0);
    }
}

fn main() {
    let mut c: Lru<String, i32> = Lru::new(3);
    for (i, k) in ["a", "b", "c"].iter().enumerate() {
        println!("{:?}", c.put(k.to_string(), i as i32));
    }
    println!("{c:?}");
    *c.get("a").unwrap() += 100;
    println!("{c:?} {:?}", c.put("d".into(), 3));
    println!("{:?} {:?}", c.get("b").is_none(), c.stats);
    println!("{:?} {c:?}", c.put("c".into(), 22));
    println!("{:?} {:?}", c.remove(&"a".to_string()), c.remove(&"zz".to_string()));
    c.put("e".into(), 5);
    println!("{:?}", c.put("f".into(), 6));
    println!("{c:#?}");
    println!("{:?}", c.iter().map(|(k, v)| format!("{k}{v}")).collect::<Vec<_>>());
    println!("{:?} {}", c.stats, c.slots.len());

    let mut m = Memo { f: |rec: &mut dyn FnMut(u64) -> u64, n| if n < 2 { n } else { rec(n - 1) + rec(n - 2) }, cache: Lru::new(4), calls: 0 };
    println!("{} {} {:?}", m.call(30), m.calls, m.cache.stats);

    let mut l = Lru::new(2);
    l.put(1, Loud("one"));
    l.put(2, Loud("two"));
    l.get(&1);
    println!("evicting");
    l.put(3, Loud("three"));
    println!("replacing");
    l.put(1, Loud("one again"));
    println!("leaving");
    drop(l);
    let _bad = Lru::<u8, u8>::new(0);
}
