fn apply<F: Fn(i32) -> i32>(f: F, x: i32) -> i32 {
    f(x)
}

fn make_adder(n: i32) -> impl Fn(i32) -> i32 {
    move |x| x + n
}

fn boxed(n: i32) -> Box<dyn Fn(i32) -> i32> {
    if n > 0 { Box::new(move |x| x * n) } else { Box::new(|x| -x) }
}

fn twice(f: fn(i32) -> i32, x: i32) -> i32 {
    f(f(x))
}

fn inc(x: i32) -> i32 {
    x + 1
}

fn main() {
    let k = 10;
    println!("{}", apply(|x| x + k, 5));
    println!("{}", make_adder(3)(4));
    println!("{} {}", boxed(5)(6), boxed(-1)(6));
    println!("{}", twice(inc, 1));
    println!("{}", twice(|x| x * x, 3));
    let mut count = 0;
    let mut bump = || {
        count += 2;
        count
    };
    bump();
    bump();
    println!("{count}");
    let s = String::from("moved");
    let consume = move || s;
    println!("{}", consume());
    let fs: Vec<Box<dyn Fn() -> usize>> = (0..3usize).map(|i| Box::new(move || i * i) as Box<dyn Fn() -> usize>).collect();
    for f in &fs {
        print!("{} ", f());
    }
    println!();
}
