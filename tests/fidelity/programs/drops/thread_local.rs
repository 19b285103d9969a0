use std::cell::{Cell, RefCell};
use std::thread;

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

thread_local! {
    static A: D = { println!("init A"); D("A") };
    static B: RefCell<Vec<D>> = RefCell::new(Vec::new());
    static COUNT: Cell<u32> = const { Cell::new(7) };
    static C: D = const { D("C") };
}

fn main() {
    let h = thread::spawn(|| {
        println!("thread starts");
        A.with(|a| println!("with {}", a.0));
        A.with(|a| println!("again {}", a.0));
        COUNT.set(COUNT.get() + 1);
        println!("count {}", COUNT.get());
        let _local = D("thread local variable");
        println!("thread ends");
    });
    h.join().unwrap();
    println!("joined");
    thread::spawn(|| {
        B.with_borrow_mut(|b| b.extend([D("b0"), D("b1")]));
        println!("len {}", B.with_borrow(|b| b.len()));
        let old = B.replace(vec![D("b2")]);
        println!("old {}", old.len());
    })
    .join()
    .unwrap();
    println!("joined 2");
    thread::spawn(|| println!("untouched {}", COUNT.get())).join().unwrap();
    let r = thread::spawn(|| {
        C.with(|c| println!("{}", c.0));
        panic!("thread panics");
    })
    .join();
    println!("{:?}", r.unwrap_err().downcast_ref::<&str>());
    println!("main count {}", COUNT.get());
}
