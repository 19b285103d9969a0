// In a block `use` brings a macro in everywhere, `macro_rules!` where it stands and behind; rust-analyzer takes the latter for both.
fn main() {
    macro_rules! first {
        () => {
            println!("first")
        };
    }
    named!();
    macro_rules! named {
        () => {
            println!("second")
        };
    }
    use first as named;
    named!();
}
