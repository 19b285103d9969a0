// The place of what a macro call between items makes is behind the call's attributes and doc comments.
macro_rules! make { ($($name:ident)*) => { $( fn $name() { let x: Option<u8> = None; x.unwrap(); } )* } }
/// A doc comment.
#[cfg(not(miri))]
make! { one
    two }
#[allow(unused)]
    make! { three }
mod inner {
    #![allow(unused)]
    // A comment.
    #[cfg(all())] /* here */ make! { four }
}
fn main() {
    std::panic::set_hook(Box::new(|i| println!("{}:{}", i.location().unwrap().line(), i.location().unwrap().column())));
    for f in [one, two, three] { let _ = std::panic::catch_unwind(f); }
    let _ = std::panic::catch_unwind(|| {
        #[allow(unused)]
        panic!("statement");
    });
    let _ = std::panic::catch_unwind(|| (250u8..).take(10).count());
}
