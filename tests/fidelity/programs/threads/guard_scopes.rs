use std::sync::{Mutex, MutexGuard, RwLock};

struct Noisy<'a, T>(&'static str, MutexGuard<'a, T>);
impl<T> Drop for Noisy<'_, T> {
    fn drop(&mut self) {
        println!("unlock {}", self.0);
    }
}

struct Db {
    a: Mutex<Vec<i32>>,
    b: Mutex<i32>,
    c: RwLock<Option<i32>>,
}

impl Db {
    fn a(&self) -> Noisy<'_, Vec<i32>> {
        println!("lock a");
        Noisy("a", self.a.lock().unwrap())
    }
    fn len(&self) -> usize {
        self.a().1.len()
    }
    fn free(&self) -> &'static str {
        if self.a.try_lock().is_ok() { "free" } else { "held" }
    }
}

fn main() {
    let db = Db { a: Mutex::new(vec![1, 2]), b: Mutex::new(0), c: RwLock::new(Some(3)) };
    println!("{} {}", db.len(), db.free());
    let n = db.a().1.len();
    println!("after let: {} {n}", db.free());
    if db.a().1.len() == 2 {
        println!("in if: {}", db.free());
    }
    if let Some(x) = db.a().1.first() {
        println!("in if let: {} {x}", db.free());
    } else {
        println!("never");
    }
    if let Some(x) = db.a().1.get(9) {
        println!("never {x}");
    } else {
        println!("in else: {}", db.free());
    }
    match db.a().1.len() {
        n => println!("in match: {} {n}", db.free()),
    }
    while let Some(x) = db.a().1.pop() {
        println!("in while let: {} {x}", db.free());
    }
    println!("after while let: {}", db.free());
    for _ in db.a().1.iter() {}
    let _ = db.a();
    println!("let _: {}", db.free());
    let _g = db.a();
    println!("let _g: {}", db.free());
    drop(_g);
    println!("dropped: {}", db.free());
    *db.b.lock().unwrap() += db.a().1.len() as i32 + 1;
    println!("b {}", db.b.lock().unwrap());
    let c = db.c.read().unwrap().map(|x| x + 1);
    *db.c.write().unwrap() = c;
    println!("c {:?} {}", db.c, db.c.try_write().is_ok());
    let g = db.a();
    let held = || db.free();
    println!("closure: {}", held());
    std::mem::forget(g);
    println!("forgotten: {}", db.free());
}
