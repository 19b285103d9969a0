//@ edition: 2018
fn said(f: fn()) {
    let e = std::panic::catch_unwind(f).unwrap_err();
    println!("{:?} {:?}", e.downcast_ref::<&str>(), e.downcast_ref::<String>());
}
fn main() {
    said(|| panic!("a {{}}\

       b"));
    said(|| panic!("a {{\
       "));
}
