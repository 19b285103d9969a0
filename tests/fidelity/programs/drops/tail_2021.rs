//@ edition: 2021
use std::cell::RefCell;

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl D {
    fn len(&self) -> usize {
        self.0.len()
    }
}

// In 2021 temporaries of the tail expression outlive the locals.
fn tail() -> usize {
    let _local = D("local");
    D("tail temporary").len()
}

fn block() {
    let n = {
        let _inner = D("inner");
        D("block tail").len()
    };
    println!("n = {n}");
    let m = { D("no locals").len() } + D("operand").len();
    println!("m = {m}");
}

fn match_tail() -> usize {
    let _l = D("l");
    match D("scrutinee").len() {
        0 => 0,
        n => n + D("arm").len(),
    }
}

fn if_tail(c: bool) -> usize {
    let _l = D("l");
    if c { D("then").len() } else { D("else").len() }
}

fn closure_tail() {
    let f = || {
        let _l = D("closure local");
        D("closure tail").len()
    };
    println!("{}", f());
}

fn cell() -> i32 {
    let c = RefCell::new(5);
    let r = *c.borrow();
    r
}

fn main() {
    println!("{}", tail());
    block();
    println!("{}", match_tail());
    println!("{} {}", if_tail(true), if_tail(false));
    closure_tail();
    println!("{}", cell());
    let _unit = { println!("stmt"); D("tail of let block") };
    println!("end {}", { &D("extended in block tail") }.len());
}
