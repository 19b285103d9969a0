struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn maybe_move(c: bool) {
    let x = D("x");
    let _y = D("y");
    if c {
        drop(x);
        println!("moved");
    } else {
        println!("kept {}", x.0);
    }
    println!("end {c}");
}

fn maybe_init(c: bool) {
    let x;
    let _y = D("y");
    if c {
        x = D("init");
        println!("has {}", x.0);
    }
    println!("end {c}");
}

fn in_match(n: i32) {
    let a = D("a");
    let b = D("b");
    let kept = match n {
        0 => a,
        1 => b,
        _ => D("new"),
    };
    println!("kept {}", kept.0);
}

fn in_loop() {
    let mut cur = D("start");
    for i in 0..3 {
        if i == 1 {
            drop(cur);
            cur = D("replaced");
        }
    }
    println!("cur {}", cur.0);
}

fn field_flag(c: bool) {
    let p = (D("p0"), D("p1"));
    if c {
        let _taken = p.0;
    }
    println!("end");
}

fn main() {
    maybe_move(true);
    maybe_move(false);
    maybe_init(true);
    maybe_init(false);
    for n in 0..3 {
        in_match(n);
    }
    in_loop();
    field_flag(true);
    field_flag(false);
}
