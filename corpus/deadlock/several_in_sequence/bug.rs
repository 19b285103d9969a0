use std::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
use std::thread;

fn twice() {
    let total = Mutex::new(1);
    let first = total.lock().unwrap();
    let second = total.lock().unwrap(); //~ deadlock
    println!("{first} {second}");
}

fn two_orders() {
    let (stock, orders) = (Arc::new(Mutex::new(1)), Arc::new(Mutex::new(2)));
    let (of_stock, of_orders) = (stock.clone(), orders.clone());
    let worker = thread::spawn(move || {
        let orders = of_orders.lock().unwrap();
        let stock = of_stock.lock().unwrap(); //~ deadlock 2
        println!("{stock} {orders}");
    });
    {
        let stock = stock.lock().unwrap();
        let orders = orders.lock().unwrap(); //~ deadlock 2
        println!("{stock} {orders}");
    }
    worker.join().unwrap();
}

fn own_sender() {
    let (sender, receiver) = mpsc::channel::<u32>();
    let other = sender.clone();
    thread::spawn(move || other.send(1).unwrap());
    println!("{}", receiver.iter().sum::<u32>()); //~ deadlock 3
    drop(sender);
}

fn upgrade() {
    let level = RwLock::new(1);
    let seen = level.read().unwrap();
    *level.write().unwrap() += *seen; //~ deadlock 4
}

fn without_notification() {
    let ready = Arc::new((Mutex::new(false), Condvar::new()));
    let other = ready.clone();
    let setter = thread::spawn(move || *other.0.lock().unwrap() = true);
    let mut is_ready = ready.0.lock().unwrap();
    while !*is_ready {
        is_ready = ready.1.wait(is_ready).unwrap(); //~ deadlock 5
    }
    drop(is_ready);
    setter.join().unwrap();
}

fn joined_under_lock() {
    let count = Arc::new(Mutex::new(0));
    let held = count.lock().unwrap();
    let other = count.clone();
    let worker = thread::spawn(move || *other.lock().unwrap() += 1); //~ deadlock 6
    worker.join().unwrap(); //~ deadlock 6
    drop(held);
}

// Each of several functions hangs: runs go on behind the first one.
fn main() {
    twice();
    two_orders();
    own_sender();
    upgrade();
    without_notification();
    joined_under_lock();
}
