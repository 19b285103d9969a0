use std::cell::RefCell;

fn main() {
    let c = RefCell::new(vec![1]);
    {
        let a = c.borrow();
        let b = c.borrow();
        println!("{} {}", a.len(), b.len());
        println!("{:?}", c.try_borrow_mut().is_err());
        println!("{:?}", c);
    }
    c.borrow_mut().push(2);
    println!("{:?}", c);
    let m = c.borrow_mut();
    println!("{:?} {:?}", c.try_borrow().map_err(|e| e.to_string()), c);
    let n = c.borrow_mut();
    println!("{} {}", m.len(), n.len());
}
