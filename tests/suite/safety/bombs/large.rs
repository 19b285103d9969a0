//! Files of a megabyte of one kind, and 50 megabytes of functions.

use super::sources::Bomb;
use std::fmt::Write as _;

/// Files of about this size, of one kind each.
pub(crate) fn files(bytes: usize) -> Vec<Bomb> {
    let filled = |name, before: &str, part: &dyn Fn(usize) -> String, after: &str| {
        Bomb::file(name, fill(bytes, before, part, after))
    };
    vec![
        filled(
            "many_functions",
            "fn main() { f0(); f1(); }\n",
            &|n| format!("fn f{n}() -> u32 {{ let x = {n}; x + 1 }}\n"),
            "",
        ),
        filled("many_public_functions", "", &|n| format!("pub fn f{n}(x: u32) -> u32 {{ x.wrapping_add({n}) }}\n"), ""),
        filled("many_calls", "fn main() { g0(); }\n", &|n| format!("fn g{n}() {{ g{}() }}\n", n + 1), "fn last() {}\n"),
        filled(
            "one_function",
            "fn f(x: u32) -> u32 { x + 1 }\nfn main() {\n    let mut x = 0u32;\n",
            &|n| format!("    x = f(x) ^ {n};\n"),
            "    println!(\"{x}\");\n}\n",
        ),
        filled(
            "many_variables",
            "fn main() {\n    let x0 = 1;\n",
            &|n| format!("    let x{} = x{n} ^ {n};\n", n + 1),
            "}\n",
        ),
        filled(
            "match_arms",
            "fn f(x: u32) -> u32 {\n    match x {\n",
            &|n| format!("        {n} => {},\n", n ^ 1),
            "        _ => 0,\n    }\n}\nfn main() { println!(\"{}\", f(5)); }\n",
        ),
        filled(
            "match_strings",
            "fn f(x: &str) -> u32 {\n    match x {\n",
            &|n| format!("        \"{n}\" => {n},\n"),
            "        _ => 0,\n    }\n}\nfn main() { println!(\"{}\", f(\"5\")); }\n",
        ),
        filled(
            "match_tuples",
            "fn f(x: (u8, Option<u8>, bool)) -> u32 {\n    match x {\n",
            &|n| format!("        ({}, Some({}), {}) => {n},\n", n % 256, n / 256 % 256, n % 2 == 0),
            "        _ => 0,\n    }\n}\nfn main() { println!(\"{}\", f((1, None, true))); }\n",
        ),
        filled(
            "match_alternatives",
            "fn f(x: u32) -> u32 {\n    match x {\n        0",
            &|n| format!(" | {}", 2 * n + 2),
            " => 1,\n        _ => 0,\n    }\n}\nfn main() { println!(\"{}\", f(5)); }\n",
        ),
        filled("array", "static A: &[u32] = &[\n", &|n| format!("{n},"), "];\nfn main() { println!(\"{}\", A[1]); }\n"),
        filled(
            "array_inferred",
            "fn main() {\n    let a = [\n",
            &|n| format!("{n},"),
            "    ];\n    println!(\"{}\", a[1]);\n}\n",
        ),
        filled(
            "array_of_calls",
            "fn f(x: u32) -> u32 { x }\nfn main() {\n    let a = [\n",
            &|n| format!("f({n}),"),
            "    ];\n    println!(\"{}\", a[1]);\n}\n",
        ),
        filled(
            "vector",
            "fn main() {\n    let a = vec![\n",
            &|n| format!("{n},"),
            "    ];\n    println!(\"{}\", a[1]);\n}\n",
        ),
        filled(
            "array_of_strings",
            "static A: &[&str] = &[\n",
            &|n| format!("\"{n}\","),
            "];\nfn main() { println!(\"{}\", A[1]); }\n",
        ),
        filled(
            "array_of_tuples",
            "static A: &[(u32, &str, Option<u8>)] = &[\n",
            &|n| format!("({n}, \"{n}\", Some(1)),"),
            "];\nfn main() { println!(\"{}\", A[1].1); }\n",
        ),
        filled(
            "array_of_boxes",
            "fn main() {\n    let a: Vec<Box<dyn Fn() -> u32>> = vec![\n",
            &|n| format!("Box::new(|| {n}),"),
            "    ];\n    println!(\"{}\", a[1]());\n}\n",
        ),
        filled(
            "string",
            "static A: &str = \"",
            &|n| format!("{n} "),
            "\";\nfn main() { println!(\"{}\", A.len()); }\n",
        ),
        filled("string_printed", "fn main() { println!(\"", &|n| format!("{n} "), "\"); }\n"),
        filled("strings_printed", "fn main() {\n", &|n| format!("    println!(\"{{}} {n}\", {n});\n"), "}\n"),
        filled("format_arguments", "fn main() { println!(\"{}\", format!(\"", &|_| "{0}".to_owned(), "\", 1)); }\n"),
        filled(
            "statics",
            "",
            &|n| format!("static S{n}: std::sync::Mutex<u32> = std::sync::Mutex::new({n});\n"),
            "fn main() { *S0.lock().unwrap() += 1; }\n",
        ),
        filled(
            "constants",
            "const C0: u64 = 1;\n",
            &|n| format!("const C{}: u64 = C{n} ^ {n};\n", n + 1),
            "fn main() { println!(\"{}\", C9); }\n",
        ),
        filled(
            "thread_locals",
            "use std::cell::Cell;\n",
            &|n| format!("thread_local!(static T{n}: Cell<u32> = const {{ Cell::new({n}) }});\n"),
            "fn main() { T0.with(|it| it.set(1)); }\n",
        ),
        filled(
            "impls",
            "trait T { fn f(&self) -> u32 { 1 } }\n",
            &|n| format!("struct S{n}; impl T for S{n} {{}}\n"),
            "fn main() { println!(\"{}\", S0.f()); }\n",
        ),
        filled(
            "impls_generic",
            "trait T<A> { fn f(&self, _: A) -> u32 { 1 } }\nstruct S;\n",
            &|n| format!("struct A{n}; impl T<A{n}> for S {{}}\n"),
            "fn main() { println!(\"{}\", S.f(A0)); }\n",
        ),
        filled(
            "impls_from",
            "struct S(u32);\n",
            &|n| format!("struct A{n}; impl From<A{n}> for S {{ fn from(_: A{n}) -> S {{ S({n}) }} }}\n"),
            "fn main() { let s: S = A0.into(); println!(\"{}\", s.0); }\n",
        ),
        filled(
            "traits",
            "struct S;\n",
            &|n| format!("trait T{n} {{ fn f(&self) -> u32 {{ {n} }} }} impl T{n} for S {{}}\n"),
            "fn main() { println!(\"{}\", T0::f(&S)); }\n",
        ),
        filled(
            "methods",
            "struct S;\nimpl S {\n",
            &|n| format!("    fn f{n}(&self) -> u32 {{ {n} }}\n"),
            "}\nfn main() { println!(\"{}\", S.f0()); }\n",
        ),
        filled("same_names", "", &|_| "fn f() -> u32 { 1 }\n".to_owned(), "fn main() { println!(\"{}\", f()); }\n"),
        filled(
            "same_impls",
            "struct S;\n",
            &|_| "impl Drop for S { fn drop(&mut self) {} }\n".to_owned(),
            "fn main() { let _s = S; }\n",
        ),
        filled(
            "globs",
            "",
            &|n| format!("mod m{n} {{ pub use super::m{}::*; pub fn f{n}() {{}} }}\n", n + 1),
            "fn main() {}\n",
        ),
        filled(
            "globs_all",
            "",
            &|n| format!("mod m{n} {{ pub fn f{n}() {{}} }} use m{n}::*;\n"),
            "fn main() { f0(); f1(); }\n",
        ),
        filled(
            "globs_circle",
            "",
            &|n| {
                format!(
                    "mod m{n} {{ pub use super::m{}::*; pub use super::m{}::*; pub fn f{n}() {{}} }}\n",
                    n + 1,
                    n / 2
                )
            },
            "fn main() {}\n",
        ),
        filled("uses", "mod a { pub fn f() {} }\n", &|n| format!("use a::f as f{n};\n"), "fn main() { f0(); }\n"),
        filled(
            "modules",
            "",
            &|n| format!("pub mod m{n} {{ pub const C: u32 = {n}; }}\n"),
            "fn main() { println!(\"{}\", m0::C); }\n",
        ),
        filled(
            "variants",
            "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\npub enum E {\n",
            &|n| format!("    V{n},\n"),
            "}\nfn main() { println!(\"{:?}\", E::V1 < E::V2); }\n",
        ),
        filled(
            "variants_with_fields",
            "#[derive(Clone, Debug, PartialEq)]\npub enum E {\n",
            &|n| format!("    V{n}(u32, String),\n"),
            "}\nfn main() { println!(\"{:?}\", E::V1(1, String::new()).clone()); }\n",
        ),
        filled(
            "fields",
            "#[derive(Clone, Debug, Default, PartialEq)]\npub(crate) struct S {\n",
            &|n| format!("    f{n}: u32,\n"),
            "}\nfn main() { println!(\"{}\", S::default().clone().f0); }\n",
        ),
        filled(
            "fields_dropped",
            "#[derive(Default)]\npub(crate) struct S {\n",
            &|n| format!("    f{n}: String,\n"),
            "}\nfn main() { println!(\"{}\", S::default().f0); }\n",
        ),
        filled(
            "derives",
            "",
            &|n| {
                format!(
                    "#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)] pub(crate) struct S{n}(pub u32);\n"
                )
            },
            "fn main() { println!(\"{:?}\", S0::default()); }\n",
        ),
        filled("parameters", "fn f(", &|n| format!("a{n}: u32, "), ") {}\nfn main() {}\n"),
        filled("type_parameters", "fn f<", &|n| format!("T{n}: Clone, "), ">() {}\nfn main() {}\n"),
        filled(
            "bounds",
            "trait T {}\nfn f<A>() where\n",
            &|n| format!("    [A; {n}]: Clone,\n"),
            "{}\nfn main() { f::<u8>() }\n",
        ),
        filled(
            "methods_chained",
            "fn main() {\n    let x = 1u32;\n",
            &|n| format!("    let x = x.wrapping_add({n}).rotate_left(3).max(2).min(900).pow(2);\n"),
            "    println!(\"{x}\");\n}\n",
        ),
        filled(
            "iterators_chained",
            "fn main() {\n    let x = vec![1u32];\n",
            &|n| format!("    let x: Vec<u32> = x.into_iter().map(|it| it ^ {n}).filter(|it| *it > 0).collect();\n"),
            "    println!(\"{}\", x.len());\n}\n",
        ),
        filled(
            "closures",
            "fn main() {\n    let mut x = 1u32;\n",
            &|n| format!("    x = (|y: u32| y ^ {n})(x);\n"),
            "    println!(\"{x}\");\n}\n",
        ),
        filled(
            "closures_nested_calls",
            "fn apply(f: impl Fn(u32) -> u32) -> u32 { f(1) }\nfn main() {\n",
            &|n| format!("    apply(|y| y ^ {n});\n"),
            "}\n",
        ),
        filled("threads", "fn main() {\n", &|n| format!("    std::thread::spawn(|| {n}).join().unwrap();\n"), "}\n"),
        filled(
            "locks",
            "use std::sync::Mutex;\nfn main() {\n    let m = Mutex::new(1u32);\n",
            &|n| format!("    *m.lock().unwrap() ^= {n};\n"),
            "}\n",
        ),
        filled(
            "awaits",
            "async fn g(x: u32) -> u32 { x }\npub async fn f() -> u32 {\n    let mut x = 0;\n",
            &|n| format!("    x ^= g({n}).await;\n"),
            "    x\n}\nfn main() { let _f = f(); }\n",
        ),
        filled(
            "drops",
            "struct D(u32);\nimpl Drop for D { fn drop(&mut self) {} }\nfn main() {\n",
            &|n| format!("    let _d{n} = D({n});\n"),
            "}\n",
        ),
        filled(
            "ifs",
            "fn f(x: u32) -> u32 {\n",
            &|n| format!("    if x == {n} {{ return {}; }}\n", n ^ 3),
            "    0\n}\nfn main() { println!(\"{}\", f(2)); }\n",
        ),
        filled("loops", "fn main() {\n", &|n| format!("    for i in 0..2 {{ if i == {n} {{ break; }} }}\n"), "}\n"),
        filled(
            "questions",
            "fn g(x: u32) -> Option<u32> {{ Some(x) }}\nfn f() -> Option<u32> {\n",
            &|n| format!("    let _ = Some({n}u32)?;\n"),
            "    None\n}\nfn main() { println!(\"{:?}\", f()); }\n",
        ),
        filled(
            "macros",
            "macro_rules! m { ($n:expr) => { fn_name($n) } }\nfn fn_name(x: u32) -> u32 { x }\nfn main() {\n",
            &|n| format!("    m!({n});\n"),
            "}\n",
        ),
        filled(
            "macro_items",
            "macro_rules! m { ($f:ident, $n:expr) => { pub fn $f() -> u32 { $n } } }\n",
            &|n| format!("m!(f{n}, {n});\n"),
            "fn main() { println!(\"{}\", f0()); }\n",
        ),
        filled(
            "macro_rules",
            "",
            &|n| format!("macro_rules! m{n} {{ ($x:expr) => {{ $x + {n} }} }}\n"),
            "fn main() { println!(\"{}\", m0!(1)); }\n",
        ),
        filled(
            "macro_one_call",
            "macro_rules! m { ($($f:ident)*) => { $(pub fn $f() -> u32 { 1 })* } }\nm! {\n",
            &|n| format!("f{n} "),
            "}\nfn main() { println!(\"{}\", f0()); }\n",
        ),
        filled(
            "macro_many_rules",
            "macro_rules! m {\n",
            &|n| format!("    (a{n}) => {{ {n} }};\n"),
            "}\nfn main() { println!(\"{}\", m!(a9)); }\n",
        ),
        filled(
            "macro_muncher",
            "macro_rules! m { () => { 0 }; ($x:tt $($rest:tt)*) => { 1 + m!($($rest)*) } }\nfn main() { println!(\"{}\", m!(\n",
            &|n| format!("a{n} "),
            ")); }\n",
        ),
        filled("comments", "fn main() {}\n", &|n| format!("// {n}\n"), ""),
        filled("doc_comments", "", &|n| format!("/// {n}\n"), "fn main() {}\n"),
        filled("attributes", "", &|n| format!("#[cfg(not(a{n}))]\n"), "fn main() {}\n"),
        filled("garbage", "fn main() {}\n", &|n| format!("{n} }} let ( fn < "), ""),
        filled("garbage_in_function", "fn main() {\n", &|n| format!("{n} let = ( ; < )"), "}\n"),
        filled("tests", "", &|n| format!("#[test]\nfn t{n}() {{ assert_eq!({n}, {n}); }}\n"), ""),
        filled(
            "tests_with_threads",
            "",
            &|n| format!("#[test]\nfn t{n}() {{ std::thread::spawn(|| {n}).join().unwrap(); }}\n"),
            "",
        ),
        filled("unknown_macros", "fn main() {}\n", &|n| format!("no_such!({n});\n"), ""),
        filled("unknown_macro_statements", "fn main() {\n", &|n| format!("    no_such!({n});\n"), "}\n"),
        filled(
            "functions_with_threads",
            "fn main() {}\n",
            &|n| format!("fn f{n}() {{ std::thread::spawn(|| {n}).join().unwrap(); }}\n"),
            "",
        ),
        filled(
            "comments_that_allow",
            "fn main() {}\n",
            &|_| "// tsvd: allow(deadlock, reason = \"none\")\n".to_owned(),
            "",
        ),
        filled("unknown_names", "fn main() {\n", &|n| format!("    let x{n} = missing{n}(y{n});\n"), "}\n"),
        filled("type_aliases", "type A0 = u32;\n", &|n| format!("type A{} = (A{n},);\n", n + 1), "fn main() {}\n"),
        filled(
            "struct_chain",
            "struct A0(u32);\n",
            &|n| format!("struct A{}(A{n});\n", n + 1),
            "fn f(a: &A9) -> usize { std::mem::size_of_val(a) }\nfn main() {}\n",
        ),
        filled("blocks", "fn main() {\n", &|n| format!("    {{ fn f() -> u32 {{ {n} }} f(); }}\n"), "}\n"),
        filled(
            "lifetimes",
            "",
            &|n| format!("pub(crate) struct L{n}<'a, 'b: 'a, T: 'a>(&'a T, &'b T);\n"),
            "fn main() {}\n",
        ),
        filled(
            "dyn_traits",
            "pub trait T { fn f(&self) -> u32; }\n",
            &|n| {
                format!(
                    "pub(crate) struct S{n}; impl T for S{n} {{ fn f(&self) -> u32 {{ {n} }} }} pub fn d{n}() -> Box<dyn T> {{ Box::new(S{n}) }}\n"
                )
            },
            "fn main() { println!(\"{}\", d0().f()); }\n",
        ),
    ]
}

/// 50 megabytes of functions: in one file, and in many.
pub(crate) fn functions(bytes: usize) -> Vec<Bomb> {
    let function = |n: usize| format!("pub fn f{n}(x: u32) -> u32 {{ let y = x.wrapping_mul({n}); y ^ 1 }}\n");
    let one = fill(bytes, "fn main() { println!(\"{}\", f0(1)); }\n", &function, "");
    let files = 500;
    let mut many = vec![("Cargo.toml".to_owned(), "[package]\nname = \"many\"\nedition = \"2024\"\n".to_owned())];
    let mut main = String::new();
    for file in 0..files {
        let _ = writeln!(main, "mod m{file};");
        many.push((format!("src/m{file}.rs"), fill(bytes / files, "", &function, "")));
    }
    many.push(("src/main.rs".to_owned(), main + "fn main() { println!(\"{}\", m0::f0(1)); }\n"));
    vec![Bomb::file("one_file_of_functions", one), Bomb { name: "many_files_of_functions", files: many, path: "." }]
}

/// A text of about this size.
fn fill(bytes: usize, before: &str, part: &dyn Fn(usize) -> String, after: &str) -> String {
    let mut text = before.to_owned();
    let mut number = 0;
    while text.len() + after.len() < bytes {
        text.push_str(&part(number));
        number += 1;
    }
    text + after
}
