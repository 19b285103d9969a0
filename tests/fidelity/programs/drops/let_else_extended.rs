//! Temporaries that the variables of a `let` would keep alive are dropped before its `else` runs.

use std::rc::Rc;

struct Tells(&'static str, u32);

impl Drop for Tells {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, self.1);
    }
}

fn make(name: &'static str, value: u32) -> Tells {
    println!("make {name} {value}");
    Tells(name, value)
}

fn borrowed(value: u32) -> u32 {
    let &Tells(_, 1) = &make("borrowed", value) else {
        println!("else");
        return 0;
    };
    println!("matched");
    1
}

fn inside(value: u32) -> u32 {
    let (Tells(_, 1), ref other) = (&make("left", value), make("right", value)) else {
        println!("else");
        return 0;
    };
    println!("matched {}", other.1);
    1
}

fn by_pattern(value: Option<u32>) -> u32 {
    let Some(ref inner) = value.map(|it| make("inner", it)) else {
        println!("else");
        return 0;
    };
    println!("matched {}", inner.1);
    inner.1
}

fn partly(value: u32) -> u32 {
    let Some(Tells(_, 2)) = Some(make("moved", value)) else {
        println!("else");
        return 0;
    };
    println!("matched");
    2
}

fn alone(rc: Rc<u32>) -> Result<u32, &'static str> {
    let &None = &Some(Rc::clone(&rc)) else {
        return Rc::try_unwrap(rc).map_err(|_| "somebody else has it");
    };
    Ok(0)
}

fn panics(value: u32) {
    let &Tells(_, 1) = &make("before a panic", value) else {
        std::panic::resume_unwind(Box::new("in the else block"));
    };
    println!("matched");
}

fn in_a_loop() {
    let mut n = 0;
    loop {
        n += 1;
        let &Tells(_, 3) = &make("turn", n) else {
            println!("again");
            continue;
        };
        println!("left");
        break;
    }
}

fn main() {
    for value in [0, 1] {
        println!("{}", borrowed(value));
        println!("{}", inside(value));
        println!("{}", partly(value + 1));
        println!("{:?}", std::panic::catch_unwind(|| panics(value)).is_err());
    }
    println!("{}", by_pattern(None));
    println!("{}", by_pattern(Some(7)));
    println!("{:?}", alone(Rc::new(5)));
    in_a_loop();
}
