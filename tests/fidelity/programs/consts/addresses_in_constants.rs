// References in constants and in code to the same constant.
const A: [u8; 2] = [b'h', b'i'];
const B: &[u8; 2] = &A;
const C: *const u8 = B as *const u8;
static S: &[u8; 2] = &A;
static T: &&[u8; 2] = &&A;
struct P { x: &'static [u8; 2], y: &'static str }
const Q: P = P { x: &A, y: "hi" };
trait K { const V: u32; const R: &'static u32 = &Self::V; }
impl K for u8 { const V: u32 = 77; }
impl K for u16 { const V: u32 = 78; }
fn main() {
    println!("{} {} {}", &A as *const u8 == C, std::ptr::eq(S, B), std::ptr::eq(*T, S));
    println!("{} {}", std::ptr::eq(Q.x, &A), Q.y.len());
    println!("{} {} {}", u8::R, u16::R, std::ptr::eq(u8::R, &77));
    println!("{}", std::ptr::eq(<u16 as K>::R, &u16::V));
}
