//@ edition: 2018
// Before edition 2021 the single literal of a `panic!` is no template.
macro_rules! p { ($($t:tt)*) => { let _ = std::panic::catch_unwind(|| { panic!($($t)*) }); } }
macro_rules! q { ($t:expr) => { let _ = std::panic::catch_unwind(|| { panic!($t) }); } }
macro_rules! l { ($t:literal) => { let _ = std::panic::catch_unwind(|| { panic!($t) }); } }
fn main() {
    let foo = 3; let _ = foo;
    let _ = std::panic::catch_unwind(|| panic!("{{}}"));
    let _ = std::panic::catch_unwind(|| panic!("{foo}"));
    let _ = std::panic::catch_unwind(|| panic!("\t{{foo}}\x41",));
    let _ = std::panic::catch_unwind(|| panic!(r"\t{{foo}}\x41",));
    let _ = std::panic::catch_unwind(|| panic!("{{}} {}", 1));
    let _ = std::panic::catch_unwind(|| std::panic!("{{}}"));
    let _ = std::panic::catch_unwind(|| core::panic!("{{}}"));
    let e = std::panic::catch_unwind(|| panic!("{{}}")).unwrap_err();
    println!("{:?} {:?}", e.downcast_ref::<&str>(), e.is::<String>());
    let e = std::panic::catch_unwind(|| panic!("{}", "s")).unwrap_err();
    println!("{:?} {:?}", e.downcast_ref::<&str>(), e.downcast_ref::<String>());
    p!("{{}}");
    p!("{foo}");
    q!("{foo} {{");
    l!("{foo} {{}}");
    let _ = std::panic::catch_unwind(|| assert!(false, "{{}}"));
    let _ = std::panic::catch_unwind(|| assert!(false, "{{}} {}", 4));
    let _ = std::panic::catch_unwind(|| debug_assert!(false, "{foo}"));
    let _ = std::panic::catch_unwind(|| debug_assert!(foo == 4, "{{}}"));
    let e = std::panic::catch_unwind(|| unreachable!("{{}}")).unwrap_err();
    println!("{:?} {:?}", e.downcast_ref::<&str>(), e.downcast_ref::<String>());
    let _ = std::panic::catch_unwind(|| unreachable!("{{}} {}", 1));
    let _ = std::panic::catch_unwind(|| todo!("{{}}"));
    let _ = std::panic::catch_unwind(|| unimplemented!("{{}}"));
    let _ = std::panic::catch_unwind(|| assert_eq!(1, 2, "{{}}"));
}
