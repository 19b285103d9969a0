// Collections and their iterators abandoned half way: each element is dropped once, in std's order.
use std::collections::{BTreeMap, BinaryHeap, LinkedList, VecDeque};

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
struct Loud(i32);
impl Drop for Loud { fn drop(&mut self) { print!("d{} ", self.0) } }
fn louds(n: i32) -> impl DoubleEndedIterator<Item = Loud> + ExactSizeIterator { (0..n).map(Loud) }
fn line(text: &str) { println!("| {text}") }

fn main() {
    let mut it = louds(6).collect::<Vec<_>>().into_iter();
    it.next(); it.next_back(); it.nth(1);
    line("vec iter used"); drop(it); line("vec iter dropped");
    let mut v: Vec<_> = louds(8).collect();
    { let mut drain = v.drain(2..6); drain.next(); drain.next_back(); line("draining"); }
    line("drained"); v.truncate(3); line("truncated"); v.clear(); line("cleared");
    let mut v: Vec<_> = louds(5).collect();
    v.resize(7, Loud(70)); line("grown"); v.resize_with(2, || Loud(0)); line("shrunk");
    v.insert(1, Loud(9)); drop(v.remove(0)); v.dedup(); v.swap_remove(0); line("edited");
    let tail = v.split_off(1); drop(v); line("head"); drop(tail); line("tail");
    let mut d: VecDeque<_> = louds(5).collect();
    d.rotate_left(2); d.push_front(Loud(10)); d.drain(1..3).next(); line("deque drained"); d.truncate(2); line("deque cut"); drop(d); line("deque");
    let mut map: BTreeMap<i32, Loud> = louds(20).map(|l| (l.0 * 7 % 20, l)).collect();
    map.insert(3, Loud(100)); line("replaced");
    map.retain(|k, _| k % 2 == 0); line("retained");
    let right = map.split_off(&10); drop(map); line("left"); let mut into = right.into_iter(); into.next(); into.next_back(); line("ends"); drop(into); line("rest");
    let mut map: BTreeMap<i32, Loud> = louds(4).map(|l| (l.0, l)).collect();
    map.entry(2).and_modify(|l| *l = Loud(22)).or_insert_with(|| Loud(23)); map.pop_first(); line("entry");
    while let Some((k, v)) = map.pop_last() { print!("{k} {v:?} "); } line("popped");
    let mut heap: BinaryHeap<_> = louds(5).collect(); heap.pop(); { let mut top = heap.peek_mut().unwrap(); top.0 = -1; } line("peeked"); println!("{:?}", heap.into_sorted_vec()); line("sorted");
    let mut list: LinkedList<_> = louds(4).collect(); let mut other: LinkedList<_> = louds(2).collect(); list.append(&mut other); drop(list.split_off(3)); line("list split"); drop(list); line("list");
    let filtered: Vec<_> = louds(6).filter(|l| l.0 % 2 == 0).map(|l| Loud(l.0 + 50)).collect(); line("filtered"); drop(filtered); line("");
    let in_place: Vec<_> = louds(4).collect::<Vec<_>>().into_iter().filter_map(|l| (l.0 > 1).then_some(l)).collect(); line("in place"); drop(in_place); line("");
    println!("{:?}", louds(6).skip(1).step_by(2).take(2).map(|l| l.0).collect::<Vec<_>>());
    println!("{:?}", louds(4).peekable().next_if(|l| l.0 == 0)); line("peekable");
    println!("{:?}", louds(3).zip(louds(5).rev()).last().map(|(a, b)| (a.0, b.0))); line("zip");
    println!("{:?}", louds(5).reduce(|a, b| if a > b { a } else { b })); line("reduce");
    println!("{:?}", louds(4).chain(louds(2)).try_fold(0, |sum, l| if l.0 == 3 { Err(sum) } else { Ok(sum + l.0) })); line("try_fold");
    let nested: Vec<Vec<Loud>> = (0..3).map(|n| louds(n).collect()).collect(); let mut flat = nested.into_iter().flatten(); flat.next(); line("flat"); drop(flat); line("flat dropped");
    let arrays = [[Loud(1), Loud(2)], [Loud(3), Loud(4)]]; let [first, _] = arrays; line("array"); drop(first); line("first");
    let boxed: Box<[Loud]> = louds(2).collect(); let both: (Box<[Loud]>, Option<Loud>) = (boxed, Some(Loud(5))); drop(both); line("tuple");
    println!("{:?}", louds(3).max_by_key(|l| -l.0)); line("max"); println!("{:?}", louds(5).rposition(|l| l.0 == 3)); line("rposition");
    let s: std::rc::Rc<[Loud]> = louds(2).collect(); drop(s.clone()); line("rc clone"); drop(s); line("rc");
}
