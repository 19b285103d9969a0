struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct S {
    a: D,
    b: D,
    c: i32,
}

fn args(_: D, _: D, _: i32) {
    println!("called");
}

fn fails(n: i32) -> Result<i32, ()> {
    if n > 0 { Ok(n) } else { Err(()) }
}

fn call(n: i32) -> Result<(), ()> {
    args(D("arg0"), D("arg1"), fails(n)?);
    Ok(())
}

fn build(n: i32) -> Result<S, ()> {
    Ok(S { b: D("field b"), a: D("field a"), c: fails(n)? })
}

fn array(n: i32) -> Option<[(D, i32); 3]> {
    Some([(D("e0"), 0), (D("e1"), fails(n).ok()?), (D("e2"), 2)])
}

fn main() {
    loop {
        (
            D("outer 0"),
            D("outer 1"),
            (D("inner 0"), D("inner 1"), break),
            D("never"),
        );
    }
    println!("--");
    println!("{:?}", call(0));
    println!("{:?}", call(1));
    println!("{:?}", build(0).is_ok());
    println!("{:?}", build(1).map(|s| s.c));
    println!("{:?}", array(0).is_some());
    println!("{:?}", array(1).is_some());
    let v = 'l: {
        let _keep = vec![D("v0"), D("v1"), break 'l 5];
        #[allow(unreachable_code)]
        6
    };
    println!("{v}");
}
