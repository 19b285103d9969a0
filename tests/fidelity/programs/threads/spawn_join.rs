use std::thread;

fn main() {
    let h = thread::spawn(|| (1..=10).sum::<i32>());
    println!("{}", h.join().unwrap());
    let v = vec![1, 2, 3];
    let h = thread::spawn(move || {
        println!("in thread {:?}", v);
        v.len()
    });
    println!("len {}", h.join().unwrap());
    let hs: Vec<_> = (0..4).map(|i| thread::spawn(move || i * i)).collect();
    let r: Vec<u32> = hs.into_iter().map(|h| h.join().unwrap()).collect();
    println!("{:?}", r);
    let mut a = [1, 2, 3, 4];
    let (l, r) = a.split_at_mut(2);
    let total = thread::scope(|s| {
        let x = s.spawn(|| {
            l[0] += 10;
            l.iter().sum::<i32>()
        });
        let y = s.spawn(|| {
            r[1] += 100;
            r.iter().sum::<i32>()
        });
        x.join().unwrap() * 1000 + y.join().unwrap()
    });
    println!("{total} {:?}", a);
    let h = thread::Builder::new().name("named".into()).stack_size(1 << 20).spawn(|| thread::current().name().map(str::to_owned)).unwrap();
    println!("{:?} {:?}", h.thread().name().map(str::to_owned), h.join().unwrap());
    println!("{:?} {:?}", thread::current().name(), thread::spawn(|| thread::current().name().is_none()).join().unwrap());
    let outer = thread::spawn(|| {
        let inner = thread::spawn(|| 5);
        inner.join().unwrap() + 1
    });
    println!("{}", outer.join().unwrap());
    println!("{}", thread::current().id() == thread::current().id());
    let h = thread::spawn(|| {});
    h.join().unwrap();
    let h = thread::spawn(thread::yield_now);
    while !h.is_finished() {
        thread::yield_now();
    }
    println!("finished {:?}", h.join());
}
