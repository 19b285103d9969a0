use std::sync::Mutex;
use std::thread;

static USERS: Mutex<Vec<&str>> = Mutex::new(Vec::new());
static ORDERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
static STOCK: Mutex<i32> = Mutex::new(10);

fn sign_up() {
    let mut users = USERS.lock().unwrap();
    users.push("ann");
    ORDERS.lock().unwrap().push(1); //~ deadlock
}

fn order() {
    let mut orders = ORDERS.lock().unwrap();
    *STOCK.lock().unwrap() -= 1; //~ deadlock
    orders.push(2);
}

fn restock() {
    let mut stock = STOCK.lock().unwrap();
    *stock += USERS.lock().unwrap().len() as i32; //~ deadlock
}

// Three functions lock users before orders, orders before stock, and stock before users.
fn main() {
    thread::scope(|scope| {
        scope.spawn(sign_up);
        scope.spawn(order);
        scope.spawn(restock);
    });
    println!("{}", ORDERS.lock().unwrap().len());
}
