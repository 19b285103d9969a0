static TEXT: &str = include_str!("include_text.txt");
static BYTES: &[u8] = include_bytes!("include_bytes.txt");
const SIZED: &[u8; 9] = include_bytes!("include_bytes.txt");
mod inner { pub fn len() -> usize { include_str!("include_text.txt").len() } }
fn main() {
    println!("{TEXT:?} {} {:?}", TEXT.len(), BYTES);
    println!("{:?} {}", SIZED, SIZED.len());
    println!("{}", inner::len());
    println!("{}", concat!("a", include_str!("include_text.txt"), 1, 'c', true, 1.5));
    let v = include!("include_expr.in");
    println!("{v:?}");
    println!("{}", include_str!("include_text.txt").lines().count());
}
