// Comparators, closures of adapters and `Ord`s that panic: what is left, and that everything is dropped once.
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::panic::{catch_unwind, AssertUnwindSafe};

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static BUDGET: Cell<i64> = const { Cell::new(i64::MAX) };
}
#[derive(Debug)]
struct Item(i32);
impl Item {
    fn new(n: i32) -> Item { LIVE.set(LIVE.get() + 1); Item(n) }
}
impl Drop for Item {
    fn drop(&mut self) { LIVE.set(LIVE.get() - 1); }
}
impl Clone for Item {
    fn clone(&self) -> Item { spend(); Item::new(self.0) }
}
fn spend() {
    BUDGET.set(BUDGET.get() - 1);
    if BUDGET.get() < 0 { BUDGET.set(i64::MAX); panic!("spent") }
}
impl PartialEq for Item { fn eq(&self, other: &Item) -> bool { spend(); self.0 == other.0 } }
impl Eq for Item {}
impl PartialOrd for Item { fn partial_cmp(&self, other: &Item) -> Option<Ordering> { Some(self.cmp(other)) } }
impl Ord for Item { fn cmp(&self, other: &Item) -> Ordering { spend(); self.0.cmp(&other.0) } }
impl std::hash::Hash for Item { fn hash<H: std::hash::Hasher>(&self, state: &mut H) { spend(); self.0.hash(state) } }

fn items(n: i32) -> Vec<Item> { (0..n).map(|i| Item::new(i * 37 % n)).collect() }

fn attempt(name: &str, budget: i64, run: impl FnOnce() -> usize) {
    BUDGET.set(budget);
    let result = catch_unwind(AssertUnwindSafe(run));
    BUDGET.set(i64::MAX);
    println!("{name} {budget}: {:?}, alive {}", result.ok(), LIVE.get());
}

fn main() {
    std::panic::set_hook(Box::new(|info| println!("hook: {}", info.payload_as_str().unwrap_or("?"))));
    for budget in [0, 5, 60, 100_000] {
        attempt("sort", budget, || { let mut v = items(40); v.sort(); v.len() });
        attempt("sort_unstable", budget, || { let mut v = items(60); v.sort_unstable(); v.len() });
        attempt("sort_by_cached_key", budget, || { let mut v = items(20); v.sort_by_cached_key(|item| { spend(); item.0 % 7 }); v.len() });
        attempt("select_nth", budget, || { let mut v = items(50); v.select_nth_unstable(20).1.0 as usize });
        attempt("dedup", budget, || { let mut v = items(10); v.extend(items(10)); v.dedup(); v.len() });
        attempt("retain", budget, || { let mut v = items(12); v.retain(|item| { spend(); item.0 % 2 == 0 }); v.len() });
        attempt("clone", budget, || items(9).clone().len());
        attempt("map in place", budget, || items(12).into_iter().map(|item| { spend(); item }).collect::<Vec<_>>().len());
        attempt("btree", budget, || { let mut map = BTreeMap::new(); for item in items(30) { map.insert(item, Item::new(0)); } map.len() });
        attempt("btree retain", budget, || { let mut set: BTreeSet<i32> = (0..30).collect(); set.retain(|n| { spend(); n % 3 == 0 }); set.len() });
        attempt("heap", budget, || { let mut heap: BinaryHeap<Item> = items(25).into(); heap.pop(); heap.push(Item::new(99)); heap.into_sorted_vec().len() });
        attempt("deque", budget, || { let mut deque: VecDeque<Item> = items(8).into(); deque.rotate_left(3); deque.resize(12, Item::new(5)); deque.len() });
        attempt("drain", budget, || { let mut v = items(10); for item in v.drain(2..7) { spend(); if item.0 == 100 { break } } v.len() });
        attempt("splice", budget, || { let mut v = items(10); v.splice(1..3, (0..4).map(|i| { spend(); Item::new(i) })); v.len() });
        attempt("extend", budget, || { let mut v = items(3); v.extend((0..6).map(|i| { spend(); Item::new(i) })); v.len() });
        attempt("array", budget, || std::array::from_fn::<Item, 7, _>(|i| { spend(); Item::new(i as i32) }).len());
        attempt("dedup_by_key", budget, || { let mut v = items(9); v.dedup_by_key(|item| { spend(); item.0 / 3 }); v.len() });
    }
}
