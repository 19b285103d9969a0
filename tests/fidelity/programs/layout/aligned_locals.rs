#[repr(align(64))]
#[derive(Clone, Copy, Debug, PartialEq)]
struct A(u8);
#[repr(align(128))]
struct B([u8; 3]);
#[repr(align(4096))]
struct P(u8);
#[inline(never)]
fn f(a: A, b: B) -> (usize, usize) {
    (&a as *const _ as usize % 64, &b as *const _ as usize % 128)
}
fn g<T>(t: &T) -> bool {
    (t as *const T).is_aligned()
}
static S: B = B([1, 2, 3]);
const C: &A = &A(7);
thread_local! { static T: P = P(1); static D: Box<P> = Box::new(P(2)); }
fn rec(n: u32) -> bool {
    let x = 1u8;
    let a = A(x);
    let b = 3u16;
    let p = P(0);
    let ok = g(&a) && g(&p) && g(&x) && g(&b);
    if n > 0 { ok && rec(n - 1) } else { ok }
}
trait Tr {
    fn al(&self) -> bool;
}
impl Tr for A {
    fn al(&self) -> bool {
        g(self)
    }
}
impl Tr for B {
    fn al(&self) -> bool {
        g(self)
    }
}
fn main() {
    println!("{:?}", f(A(1), B([0; 3])));
    let a = A(3);
    println!("{}", g(&a));
    println!("{} {}", g(&S), g(C));
    println!("{}", rec(5));
    T.with(|p| println!("{}", g(p)));
    D.with(|p| println!("{}", g(&**p)));
    let v = vec![A(1); 5];
    println!("{}", v.iter().all(g));
    let bx: Box<dyn Tr> = Box::new(B([1, 1, 1]));
    println!("{}", bx.al());
    let rc: std::rc::Rc<dyn Tr> = std::rc::Rc::new(A(2));
    println!("{} {}", rc.al(), std::mem::size_of_val(&*rc));
    let c = move || g(&a);
    println!("{}", c());
    let t = (1u8, A(1), 2u8);
    println!("{} {}", g(&t.1), std::mem::size_of_val(&t));
    let arr = [B([0; 3]), B([1; 3])];
    println!("{} {}", g(&arr[1]), size_of_val(&arr));
    let o = Some(A(1));
    println!("{}", o.as_ref().is_some_and(g));
    std::thread::spawn(|| {
        let p = P(0);
        println!("{}", g(&p));
    })
    .join()
    .unwrap();
    let x = std::mem::MaybeUninit::<P>::uninit();
    println!("{}", g(&x));
    println!("{}", g(&A(1)));
    let s: &[A] = &[A(1), A(2)];
    println!("{}", s.iter().all(g));
    let l = std::alloc::Layout::from_size_align(10, 1024).unwrap();
    unsafe {
        let p = std::alloc::alloc(l);
        println!("{}", p as usize % 1024);
        let p = std::alloc::realloc(p, l, 5000);
        println!("{}", p as usize % 1024);
        std::alloc::dealloc(p, std::alloc::Layout::from_size_align(5000, 1024).unwrap());
    }
    let e: [P; 0] = [];
    println!("{}", g(&e));
    println!("{}", (Vec::<P>::new().as_ptr() as usize) % 4096);
    async fn fut() -> bool {
        let a = B([0; 3]);
        std::future::ready(()).await;
        g(&a)
    }
    let mut f = Box::pin(fut());
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    println!("{:?}", f.as_mut().poll(&mut cx));
}
