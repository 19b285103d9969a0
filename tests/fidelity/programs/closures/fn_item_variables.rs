// A variable that holds a function is a place like any other, not the function's own name.

fn twice(n: i32) -> i32 {
    n * 2
}

fn apply<F: Fn(i32) -> i32>(function: &F, to: i32) -> i32 {
    function(to)
}

fn main() {
    let mut function = twice;
    println!("{}", size_of_val(&function));
    println!("{}", apply(&function, 4));
    let borrowed = &mut function;
    println!("{}", borrowed(5));
    let pointer: &dyn Fn(i32) -> i32 = &function;
    println!("{}", pointer(6));
    let held = || apply(&function, 7);
    println!("{}", held());
}
