// VecDeque over its wrap, BinaryHeap with Reverse and peek_mut, LinkedList.
use std::cmp::Reverse;
use std::collections::{BinaryHeap, LinkedList, VecDeque};
fn main() {
    let mut q: VecDeque<i32> = VecDeque::with_capacity(8);
    for x in 0..6 { q.push_back(x); }
    for _ in 0..4 { let x = q.pop_front().unwrap(); q.push_back(x * 10); }
    q.push_front(-1);
    println!("{q:?} {:?} {:?}", q.front(), q.back());
    println!("{} {:?}", q.as_slices().0.len() + q.as_slices().1.len(), q.iter().rev().step_by(2).collect::<Vec<_>>());
    q.rotate_left(3); println!("{q:?}");
    q.rotate_right(1); println!("{q:?}");
    q.make_contiguous().sort(); println!("{q:?} {:?}", q.binary_search(&20));
    println!("{:?} {:?} {q:?}", q.swap_remove_front(3), q.swap_remove_back(1));
    q.insert(2, 77); println!("{:?} {q:?}", q.remove(0));
    q.extend([1, 2, 3]); println!("{:?} {q:?}", q.drain(1..4).collect::<Vec<_>>());
    let mut tail = q.split_off(2); tail.append(&mut q); println!("{tail:?} {q:?}");
    tail.retain(|x| *x != 2); tail.resize(6, 0); tail.truncate(5); println!("{tail:?}");
    println!("{:?} {:?} {:?}", tail.range(1..3).collect::<Vec<_>>(), tail.contains(&3), tail.get(9));
    for x in tail.range_mut(..2) { *x += 1000; }
    tail.swap(0, 1); println!("{tail:?} {:?}", tail.partition_point(|x| *x > 100));
    println!("{:?} {}", tail == [1, 2], tail.iter().sum::<i32>());
    println!("{:?} {:?}", tail.pop_front_if(|x| *x > 5), tail.pop_back_if(|x| *x > 5));
    let mut heap = BinaryHeap::new();
    for x in [5, 1, 8, 3, 9, 2] { heap.push(Reverse((x, "n"))); }
    if let Some(mut top) = heap.peek_mut() { top.0.0 = 6; }
    print!("{:?} ", heap.peek());
    while let Some(Reverse((x, _))) = heap.pop() { print!("{x} "); }
    println!();
    let mut max: BinaryHeap<_> = (0..20).map(|x| x * 7 % 20).collect();
    max.retain(|x| x % 3 != 0);
    println!("{} {:?} {:?}", max.len(), std::collections::binary_heap::PeekMut::pop(max.peek_mut().unwrap()), max.clone().into_sorted_vec());
    max.append(&mut BinaryHeap::from([100, 50]));
    println!("{:?} {:?}", max.drain().max(), max.is_empty());
    let mut tasks = BinaryHeap::new();
    #[derive(PartialEq, Eq, Debug)] struct Task { cost: u32, name: &'static str }
    impl Ord for Task { fn cmp(&self, other: &Self) -> std::cmp::Ordering { other.cost.cmp(&self.cost).then_with(|| self.name.cmp(other.name)) } }
    impl PartialOrd for Task { fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> { Some(self.cmp(other)) } }
    for (cost, name) in [(3, "c"), (1, "a"), (2, "b"), (1, "z")] { tasks.push(Task { cost, name }); }
    println!("{:?}", std::iter::from_fn(|| tasks.pop()).map(|it| it.name).collect::<String>());
    let mut list = LinkedList::from([1, 2, 3]);
    list.push_front(0); list.push_back(4);
    let mut rest = list.split_off(2);
    rest.append(&mut list);
    println!("{rest:?} {list:?} {:?} {:?} {}", rest.pop_front(), rest.pop_back(), rest.contains(&1));
    for x in rest.iter_mut() { *x *= *x; }
    println!("{:?} {:?} {:?}", rest.front().copied(), rest.back_mut().copied(), rest.iter().rev().collect::<Vec<_>>());
    let mut growing = VecDeque::new();
    for x in 0..50 { if x % 3 == 0 { growing.push_front(x); } else { growing.push_back(x); } if x % 7 == 0 { growing.pop_front(); } }
    println!("{growing:?}");
    println!("{:?}", growing.iter().zip(growing.iter().skip(1)).filter(|(a, b)| a > b).count());
    println!("{:?}", Vec::from(growing).into_iter().rev().take(4).collect::<VecDeque<_>>());
}
