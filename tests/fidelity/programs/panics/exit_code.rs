struct D;
impl Drop for D {
    fn drop(&mut self) {
        println!("never dropped");
    }
}

fn main() {
    let _d = D;
    print!("no newline at the end");
    eprintln!("to stderr {}", 1);
    std::process::exit(3);
}
