// The caller of a `drop` is the function of std that holds the glue, whoever ends the value's life.
struct Loud(&'static str);
impl Drop for Loud {
    #[track_caller]
    fn drop(&mut self) {
        let caller = std::panic::Location::caller();
        println!("{} {} {}", self.0, caller.file().ends_with("/library/core/src/ptr/mod.rs"), caller.line() > 0);
    }
}
fn takes(_: Loud) {}
fn main() {
    let _a = Loud("local");
    takes(Loud("argument"));
    drop(Loud("dropped"));
    let mut b = Loud("old");
    b = Loud("new");
    let _ = (Loud("tuple"), 1);
    drop(vec![Loud("vector")]);
    let any: Box<dyn std::any::Any> = Box::new(Loud("object"));
    drop(any);
    b.0 = "end";
    let position = std::panic::catch_unwind(|| {
        struct Bomb;
        impl Drop for Bomb {
            #[track_caller]
            fn drop(&mut self) {
                panic!("bomb")
            }
        }
        let _bomb = Bomb;
    });
    println!("{}", position.is_err());
}
