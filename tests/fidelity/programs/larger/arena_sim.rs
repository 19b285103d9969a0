//! A generational arena and a discrete-event simulation on top of it.
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

struct Id<T> {
    index: u32,
    generation: u32,
    kind: PhantomData<fn() -> T>,
}
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, o: &Self) -> bool {
        (self.index, self.generation) == (o.index, o.generation)
    }
}
impl<T> Eq for Id<T> {}
impl<T> Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}

enum Slot<T> {
    Free { next: Option<u32> },
    Used(T),
}

struct Arena<T> {
    slots: Vec<(u32, Slot<T>)>,
    free: Option<u32>,
    len: usize,
}
impl<T> Arena<T> {
    const fn new() -> Self {
        Arena { slots: Vec::new(), free: None, len: 0 }
    }
    fn insert(&mut self, value: T) -> Id<T> {
        self.len += 1;
        match self.free {
            Some(index) => {
                let (generation, slot) = &mut self.slots[index as usize];
                let Slot::Free { next } = std::mem::replace(slot, Slot::Used(value)) else { unreachable!() };
                self.free = next;
                Id { index, generation: *generation, kind: PhantomData }
            }
            None => {
                self.slots.push((0, Slot::Used(value)));
                Id { index: self.slots.len() as u32 - 1, generation: 0, kind: PhantomData }
            }
        }
    }
    fn remove(&mut self, id: Id<T>) -> Option<T> {
        let (generation, slot) = self.slots.get_mut(id.index as usize)?;
        if *generation != id.generation {
            return None;
        }
        match std::mem::replace(slot, Slot::Free { next: self.free }) {
            Slot::Used(v) => {
                *generation += 1;
                self.free = Some(id.index);
                self.len -= 1;
                Some(v)
            }
            free => {
                *slot = free;
                None
            }
        }
    }
    fn get(&self, id: Id<T>) -> Option<&T> {
        match self.slots.get(id.index as usize) {
            Some((g, Slot::Used(v))) if *g == id.generation => Some(v),
            _ => None,
        }
    }
    fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        match self.slots.get_mut(id.index as usize) {
            Some((g, Slot::Used(v))) if *g == id.generation => Some(v),
            _ => None,
        }
    }
    fn iter(&self) -> impl Iterator<Item = (Id<T>, &T)> {
        self.slots.iter().enumerate().filter_map(|(i, (generation, s))| match s {
            Slot::Used(v) => Some((Id { index: i as u32, generation: *generation, kind: PhantomData }, v)),
            Slot::Free { .. } => None,
        })
    }
}
impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    fn index(&self, id: Id<T>) -> &T {
        self.get(id).unwrap_or_else(|| panic!("stale id {id:?}"))
    }
}
impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        self.get_mut(id).unwrap_or_else(|| panic!("stale id {id:?}"))
    }
}

#[derive(Debug)]
struct Customer {
    name: String,
    arrived: u32,
    items: u32,
}
impl Drop for Customer {
    fn drop(&mut self) {
        println!("      {} is gone", self.name);
    }
}

#[derive(Debug, Default)]
struct Till {
    queue: std::collections::VecDeque<Id<Customer>>,
    busy: bool,
    served: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Arrive(u32),
    Finish { till: usize, who: Id<Customer> },
    Leave(Id<Customer>),
    Close,
}
#[derive(PartialEq, Eq)]
struct At {
    time: u32,
    seq: u32,
    event: Event,
}
impl Ord for At {
    fn cmp(&self, o: &Self) -> Ordering {
        (o.time, o.seq).cmp(&(self.time, self.seq))
    }
}
impl PartialOrd for At {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

struct Sim {
    people: Arena<Customer>,
    tills: [Till; 2],
    heap: BinaryHeap<At>,
    seq: u32,
    now: u32,
    seed: u64,
    waits: Vec<u32>,
    open: bool,
}
impl Sim {
    fn new(seed: u64) -> Sim {
        Sim { people: Arena::new(), tills: Default::default(), heap: BinaryHeap::new(), seq: 0, now: 0, seed, waits: vec![], open: true }
    }
    fn rand(&mut self, n: u32) -> u32 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.seed >> 33) % n as u64) as u32
    }
    fn at(&mut self, delay: u32, event: Event) {
        self.seq += 1;
        self.heap.push(At { time: self.now + delay, seq: self.seq, event });
    }
    fn start(&mut self, till: usize) {
        let Sim { people, tills, now, waits, .. } = self;
        let t = &mut tills[till];
        if t.busy {
            return;
        }
        while let Some(who) = t.queue.pop_front() {
            let Some(c) = people.get(who) else { continue };
            t.busy = true;
            waits.push(*now - c.arrived);
            let d = 1 + c.items;
            self.at(d, Event::Finish { till, who });
            return;
        }
    }
    fn handle(&mut self, e: Event) {
        match e {
            Event::Arrive(n) if self.open => {
                let items = 1 + self.rand(5);
                let id = self.people.insert(Customer { name: format!("c{n}"), arrived: self.now, items });
                let till = (0..2).min_by_key(|&i| (self.tills[i].queue.len() + self.tills[i].busy as usize, i)).unwrap();
                println!("{:>3} c{n} arrives with {items}, till {till}, {id:?}", self.now);
                self.tills[till].queue.push_back(id);
                self.start(till);
                self.at(4, Event::Leave(id));
                let d = self.rand(3);
                self.at(d, Event::Arrive(n + 1));
            }
            Event::Arrive(_) => println!("{:>3} closed", self.now),
            Event::Finish { till, who } => {
                let c = self.people.remove(who);
                println!("{:>3} till {till} served {:?}", self.now, c.as_ref().map(|c| &c.name));
                drop(c);
                self.tills[till].busy = false;
                self.tills[till].served += 1;
                self.start(till);
            }
            Event::Leave(id) if self.tills.iter().any(|t| t.queue.contains(&id)) => {
                println!("{:>3} {} loses patience", self.now, self.people[id].name);
                self.people.remove(id);
            }
            Event::Leave(_) => {}
            Event::Close => self.open = false,
        }
    }
    fn run(&mut self) {
        while let Some(At { time, event, .. }) = self.heap.pop() {
            self.now = time;
            self.handle(event);
        }
    }
}

fn main() {
    let mut s = Sim::new(7);
    s.at(0, Event::Arrive(0));
    s.at(12, Event::Close);
    s.run();
    println!("end at {}, served {:?}, waits {:?}", s.now, s.tills.each_ref().map(|t| t.served), s.waits);
    println!("{} left, {} slots", s.people.len, s.people.slots.len());
    let mut a = Arena::new();
    let ids: Vec<_> = ["x", "y", "z"].map(|s| a.insert(s.to_string())).into();
    a.remove(ids[1]);
    println!("{:?} {:?}", a.remove(ids[1]), a.get(ids[2]));
    let w = a.insert("w".into());
    a[w].push('!');
    println!("{w:?} {:?}", a.iter().map(|(i, s)| format!("{i:?}={s}")).collect::<Vec<_>>());
    println!("{}", a[ids[1]]);
}
