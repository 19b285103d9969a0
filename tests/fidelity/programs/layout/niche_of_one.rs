//! Which of the values that a type has no use for stands for `None`: rustc 1.95 takes the one after the last, rust-analyzer's copy of
//! rustc's layouts is newer and takes the one nearest to zero. tracing has tests of it.

#[repr(usize)]
#[derive(Clone, Copy)]
enum Level {
    Trace = 0,
    Error = 4,
}

fn main() {
    let [none, last] = [None, Some(Level::Error)];
    // SAFETY: both have the size of a `usize`.
    let bits = |level: Option<Level>| unsafe { std::mem::transmute::<Option<Level>, usize>(level) };
    println!("{} {} {}", bits(none), bits(last), bits(Some(Level::Trace)));
}
