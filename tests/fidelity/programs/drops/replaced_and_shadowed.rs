// When values go that are overwritten, shadowed, moved out of loops or given back by blocks.

struct D(String);

impl D {
    fn new(name: impl Into<String>) -> D {
        D(name.into())
    }

    fn echo(&self) -> &str {
        &self.0
    }
}

impl Drop for D {
    fn drop(&mut self) {
        print!("-{} ", self.0);
    }
}

fn shadowed() {
    let d = D::new("one");
    let d = D::new(format!("{}+", d.echo()));
    {
        let d = D::new(format!("{}+", d.echo()));
        print!("in:{} ", d.echo());
    }
    print!("out:{} ", d.echo());
}

fn overwritten() {
    let mut d = D::new("a");
    d = D::new(format!("{}b", d.echo()));
    let mut held = [d, D::new("c")];
    held[0] = D::new("e");
    std::mem::swap(&mut held.last_mut().unwrap().0, &mut String::from("swapped"));
    let [first, _] = held;
    print!("kept:{} ", first.echo());
}

fn looped() -> Option<D> {
    let mut best = None;
    for n in 0..3 {
        let d = D::new(n.to_string());
        if n == 1 {
            best = Some(d);
            continue;
        }
        print!("seen:{} ", d.echo());
    }
    best
}

fn blocks() {
    let length = { D::new("temporary").echo().len() };
    let d = {
        let _gone = D::new("inner");
        D::new("given")
    };
    print!("{length} ");
    let _ = D::new("ignored");
    let _named = D::new("named");
    match D::new("matched").echo() {
        "matched" => print!("arm "),
        _ => {}
    }
    if D::new("condition").echo().is_empty() {}
    print!("last:{} ", d.echo());
}

fn deferred(late: bool) {
    let d;
    let other = D::new("other");
    if late {
        d = D::new("late");
        print!("{} ", d.echo());
    }
    print!("{} ", other.echo());
}

fn main() {
    for run in [shadowed, overwritten, || drop(looped()), blocks, || deferred(true), || deferred(false)] {
        run();
        println!();
    }
}
