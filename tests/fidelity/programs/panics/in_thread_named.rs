use std::thread;

fn main() {
    let h = thread::Builder::new().name("worker-7".into()).spawn(|| -> i32 { panic!("from {}", thread::current().name().unwrap()) }).unwrap();
    let e = h.join().unwrap_err();
    println!("{:?}", e.downcast_ref::<String>());
    let h = thread::spawn(|| {
        let v = [1, 2, 3];
        let i = v.len();
        v[i]
    });
    println!("{}", h.join().is_err());
    let r = thread::scope(|s| s.spawn(|| if true { std::panic::panic_any(5u64) }).join());
    println!("{:?}", r.unwrap_err().downcast_ref::<u64>());
    let r = std::panic::catch_unwind(|| {
        thread::scope(|s| {
            s.spawn(|| panic!("unjoined scoped thread"));
        });
    });
    println!("{:?}", r.unwrap_err().downcast_ref::<&str>());
    println!("main: {:?}", thread::current().name());
    Option::<u8>::None.expect("main ends badly");
}
