// Thread-locals: one for each thread, their destructors before the join, access while they are destroyed.
use std::cell::{Cell, RefCell};
use std::thread;

struct Loud(&'static str);
impl Drop for Loud {
    fn drop(&mut self) {
        println!("drop {} {:?}", self.0, COUNT.try_with(|count| count.get()));
        println!("  own {}", OWN.try_with(|_| ()).is_err());
    }
}

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
    static NAMES: RefCell<Vec<String>> = RefCell::new(vec!["first".into()]);
    static OWN: Loud = Loud("own");
    static LAZY: u32 = { println!("lazily"); 7 };
}

fn main() {
    COUNT.set(5);
    NAMES.with_borrow_mut(|names| names.push("main".into()));
    thread::spawn(|| {
        COUNT.set(COUNT.get() + 1);
        NAMES.with_borrow_mut(|names| names.push("thread".into()));
        OWN.with(|own| println!("{} {} {:?}", own.0, COUNT.get(), NAMES.take()));
        LAZY.with(|lazy| println!("{lazy}"));
        println!("ends");
    })
    .join()
    .unwrap();
    println!("{} {:?}", COUNT.replace(9), NAMES.with_borrow(|names| names.clone()));
    LAZY.with(|lazy| println!("{}", lazy + COUNT.get()));
    println!("{:?}", NAMES.try_with(|names| names.try_borrow_mut().is_ok()));
}
