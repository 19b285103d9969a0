struct D;
impl Drop for D {
    fn drop(&mut self) {
        println!("never");
    }
}

fn main() {
    let _d = D;
    println!("a whole line");
    eprint!("partial stderr");
    print!("lost, for no newline follows");
    std::process::abort();
}
