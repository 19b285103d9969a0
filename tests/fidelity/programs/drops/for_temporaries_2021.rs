//@ edition: 2021
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl D {
    fn list(&self) -> &[i32] {
        &[7, 8]
    }
    fn get(&self) -> Option<D> {
        Some(D("got"))
    }
}

fn tail_for() {
    let _l = D("tail local");
    for x in D("tail for temporary").list() {
        println!("x {x}");
    }
}

fn tail_match(n: i32) {
    let _l = D("match local");
    match D("tail scrutinee").list().len() as i32 - n {
        0 => println!("zero"),
        _ => println!("other"),
    }
}

fn tail_if_let(n: i32) {
    let _l = D("if let local");
    if let Some(x) = D("tail if let").list().get(n as usize) {
        println!("some {x}");
    } else {
        println!("none");
    }
}

fn nested_blocks() -> usize {
    let _a = D("a");
    {
        let _b = D("b");
        {
            let _c = D("c");
            D("innermost tail").list().len()
        }
    }
}

fn unsafe_tail() -> usize {
    let _a = D("ua");
    unsafe { D("unsafe tail").list().len() }
}

fn chain() -> &'static str {
    let _l = D("chain local");
    D("chain").get().unwrap().0
}

fn arm() -> usize {
    let _l = D("arm local");
    match 1 {
        1 => {
            let _m = D("arm inner");
            D("arm tail").list().len()
        }
        _ => 0,
    }
}

fn main() {
    tail_for();
    tail_match(2);
    tail_if_let(0);
    tail_if_let(9);
    println!("{}", nested_blocks());
    println!("{}", unsafe_tail());
    println!("{}", chain());
    println!("{}", arm());
}
