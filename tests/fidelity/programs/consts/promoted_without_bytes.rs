// What has no bytes and lives for ever has no place of its own: its address is its alignment.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Al;
const A: Al = Al;
const N: &[u64] = &[];
static S: &[u32] = &[];
static Z: () = ();
static Z2: Al = Al;
fn main() {
    let a = &(); let b: &[u64; 0] = &[]; let c: &[u32] = &[]; let d = ""; let e = b""; let f = &A; let g = &Al; let h = &[A; 0];
    println!("{} {} {} {} {} {} {} {}", a as *const _ as usize, b as *const _ as usize, c.as_ptr() as usize, d.as_ptr() as usize, e.as_ptr() as usize, f as *const _ as usize, g as *const Al as usize, h as *const _ as usize);
    println!("{} {}", N.as_ptr() as usize, S.as_ptr() as usize);
    println!("{} {}", &raw const Z as usize > 1000, &raw const Z2 as usize > 1000);
    let f: &fn() = &(main as fn()); let _ = f;
    let cl = &|| {}; println!("{}", cl as *const _ as usize);
    let t = &((), [0u16; 0]); println!("{}", &t.1 as *const _ as usize);
    println!("{:?}", std::ptr::eq(a, &t.0));
    println!("{}", c"".as_ptr() as usize > 1000);
    let s: &[&str] = &["", "a"]; println!("{}", s[0].as_ptr() as usize);
    let x = &[1u8, 2][..0]; println!("{}", x.as_ptr() as usize > 1000);
    let v: &dyn Fn() = &|| {}; println!("{}", v as *const _ as *const () as usize);
    let sub = &"abc"[3..]; println!("{}", sub.as_ptr() as usize > 1000);
    println!("{}", format_args!("").as_str().unwrap().as_ptr() as usize);
    println!("{:p} {:p}", &(), "");
}
