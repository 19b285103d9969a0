use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};

#[derive(Debug)]
struct D(i32);
impl Drop for D {
    fn drop(&mut self) {
        print!("d{} ", self.0);
    }
}

fn vec(n: i32) -> Vec<D> {
    (0..n).map(D).collect()
}

fn step(name: &str) {
    println!("| {name}");
}

fn main() {
    let mut v = vec(8);
    v.truncate(6);
    step("truncate");
    v.retain(|d| d.0 % 2 == 0);
    step("retain");
    v.remove(0);
    step("remove");
    v[0] = D(10);
    step("assign");
    v.insert(0, D(11));
    drop(v.swap_remove(0));
    step("swap_remove");
    v.clear();
    step("clear");
    let mut v = vec(6);
    for d in v.drain(1..4) {
        print!("got{} ", d.0);
        if d.0 == 2 {
            break;
        }
    }
    step("drain broken off");
    println!("{:?}", v);
    let mut it = v.into_iter();
    it.next();
    step("into_iter next");
    drop(it);
    step("into_iter rest");
    let mut v = vec(5);
    let tail = v.split_off(3);
    drop(v);
    step("front");
    drop(tail);
    step("tail");
    let mut v = vec(4);
    v.splice(1..3, [D(20)]);
    step("splice");
    v.dedup_by_key(|d| d.0 / 10);
    step("dedup");
    drop(v);
    step("rest");
    let mut m = BTreeMap::new();
    for i in [3, 1, 2] {
        m.insert(i, D(i));
    }
    m.insert(2, D(22));
    step("btree insert");
    m.remove(&1);
    step("btree remove");
    drop(m);
    step("btree");
    let mut h = HashMap::new();
    h.insert("k", D(1));
    h.insert("k", D(2));
    step("hash insert");
    h.entry("k").and_modify(|d| *d = D(3)).or_insert_with(|| D(4));
    step("entry");
    drop(h);
    step("hash");
    let mut q: VecDeque<D> = vec(3).into();
    q.push_front(D(-1));
    q.pop_back();
    step("pop_back");
    drop(q);
    step("deque");
    drop(vec(2).into_iter().collect::<LinkedList<_>>());
    step("list");
    let b: Box<[D]> = vec(2).into_boxed_slice();
    drop(b);
    step("boxed slice");
    let a = [D(0), D(1), D(2)];
    for d in a {
        if d.0 == 1 {
            break;
        }
    }
    step("array loop");
    let s: Option<D> = vec(3).into_iter().nth(1);
    step("nth");
    drop(s);
    step("end");
}
