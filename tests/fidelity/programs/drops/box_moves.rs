struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Tree {
    name: D,
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
}

fn leaf(n: &'static str) -> Option<Box<Tree>> {
    Some(Box::new(Tree { name: D(n), left: None, right: None }))
}

fn cond(c: bool) {
    let b = Box::new((D("b0"), D("b1")));
    if c {
        let x = b.0;
        println!("took {}", x.0);
    }
    println!("end {c}");
}

fn refill() {
    let mut b = Box::new(D("first"));
    let x = *b;
    println!("out {}", x.0);
    *b = D("refilled");
    println!("in {}", b.0);
}

fn main() {
    let t = Tree { name: D("root"), left: leaf("l"), right: leaf("r") };
    let Tree { left, name, .. } = t;
    println!("{} {}", name.0, left.is_some());
    drop(left);
    println!("--");
    let b = Box::new(Tree { name: D("boxed root"), left: leaf("bl"), right: None });
    let Tree { name: n, left: Some(l), right: _ } = *b else { panic!() };
    println!("{} {}", n.0, l.name.0);
    drop(n);
    println!("--");
    cond(true);
    cond(false);
    refill();
    let nested = Box::new(Box::new((D("n0"), D("n1"))));
    let one = nested.1;
    println!("one {}", one.0);
    let arr = Box::new([D("a0"), D("a1"), D("a2")]);
    let [x, .., z] = *arr;
    println!("{} {}", x.0, z.0);
    let s: Box<dyn Fn() -> usize> = {
        let d = D("in closure");
        Box::new(move || {
            let r = &d;
            r.0.len()
        })
    };
    println!("end {}", s());
}
