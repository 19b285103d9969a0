//! Sources that ask for unbounded work: macros that double, types that double, endless constants, many threads, and
//! files of a megabyte of one kind.

/// One of them.
pub(crate) struct Bomb {
    /// Its name.
    pub(crate) name: &'static str,
    /// Paths and texts.
    pub(crate) files: Vec<(String, String)>,
    /// What is checked: a file, or `.` for a package.
    pub(crate) path: &'static str,
}

impl Bomb {
    pub(crate) fn file(name: &'static str, text: String) -> Bomb {
        Bomb { name, files: vec![("main.rs".to_owned(), text)], path: "main.rs" }
    }
}

/// Small sources that ask for exponential or endless work.
pub(crate) fn small() -> Vec<Bomb> {
    let mut bombs = vec![
        Bomb::file("macro_nested_4_12", macro_nested()),
        Bomb::file("macro_nested_items_4_12", macro_nested_items()),
        Bomb::file("macro_tokens_2_24", macro_tokens()),
        Bomb::file("macro_modules_2_20", macro_modules()),
        Bomb::file("macro_functions_2_20", macro_functions()),
        Bomb::file("macro_impl_items_2_20", macro_impl_items()),
        Bomb::file("macro_quadratic", macro_quadratic()),
        Bomb::file("macro_endless", macro_endless()),
        Bomb::file("macro_types_2_20", macro_types()),
        Bomb::file("macro_patterns_2_20", macro_patterns()),
        Bomb::file("macro_statements_2_20", macro_statements()),
        Bomb::file("macro_stringify_2_24", macro_stringify()),
        Bomb::file("macro_concat_2_24", macro_concat()),
        Bomb::file("macro_copies", macro_copies()),
        Bomb::file("macro_items_endless", "macro_rules! m { () => { m!{} m!{} } }\nm!{}\nfn main() {}\n".to_owned()),
        Bomb::file("macro_sum", macro_sum()),
        Bomb::file("vec_nested", nested_macro("vec![", "]", 300)),
        Bomb::file("format_nested", nested_macro("format!(\"{}\", ", ")", 40)),
        Bomb::file("closures_captured", closures()),
        Bomb::file("closures_inferred", closures_inferred()),
        Bomb::file("tuples_inferred", tuples_inferred(200)),
        Bomb::file("tuples_cloned", tuples_cloned(200)),
        Bomb::file("options_inferred", options_inferred(200)),
        Bomb::file("pairs_inferred", pairs_inferred(60)),
        Bomb::file("hidden_types_inferred", hidden_types_inferred()),
        Bomb::file("hidden_types_recursive", "fn f() -> impl Sized { (f(), f()) }\nfn main() { f(); }\n".to_owned()),
        Bomb::file("structs_nested", structs_nested(20_000)),
        Bomb::file("tuple_alias", tuple_alias()),
        Bomb::file("associated_types", associated_types()),
        Bomb::file("associated_types_used", associated_types_used()),
        Bomb::file("instances_doubling", instances("(T, T)", "(t.clone(), t)")),
        Bomb::file("instances_growing", instances("Vec<T>", "vec![t]")),
        Bomb::file("instances_both", instances_both()),
        Bomb::file("instances_closures", instances_closures()),
        Bomb::file("iterators_nested", iterators_nested()),
        Bomb::file("impls_nested", impls_nested()),
        Bomb::file("impls_endless", impls_endless()),
        Bomb::file("impls_ambiguous", impls_ambiguous()),
        Bomb::file("bounds_doubling", bounds_doubling()),
        Bomb::file("deref_endless", deref_endless()),
        Bomb::file("futures_doubling", futures_doubling()),
        Bomb::file("dyn_doubling", dyn_doubling()),
        Bomb::file(
            "const_loop",
            constant("const X: usize = { let mut i = 0; loop { i += 1; if i == usize::MAX { break i } } };", "X"),
        ),
        Bomb::file(
            "const_fn_loop",
            constant(
                "const fn f(n: usize) -> usize { let mut i = 0; while i < n { i += 1; } i }\nconst X: [u8; f(usize::MAX)] = [0; f(usize::MAX)];",
                "X.len()",
            ),
        ),
        Bomb::file(
            "const_fn_recursion",
            constant(
                "const fn f(n: usize) -> usize { if n < 2 { 1 } else { f(n - 1) + f(n - 2) } }\nconst X: [u8; f(80)] = [0; f(80)];",
                "X.len()",
            ),
        ),
        Bomb::file(
            "const_discriminant",
            constant(
                "const fn f(n: isize) -> isize { let mut i = 0; while i < n { i += 1; } i }\n#[repr(isize)]\nenum E { A = f(isize::MAX), B }",
                "E::A as isize + E::B as isize",
            ),
        ),
        Bomb::file(
            "const_memory",
            constant(
                "const X: [u64; 1 << 40] = [1; 1 << 40];\nstatic Y: [u64; 1 << 33] = [2; 1 << 33];",
                "X[7] + Y[8]",
            ),
        ),
        Bomb::file("const_doubling", const_doubling()),
        Bomb::file("const_many", const_many()),
        Bomb::file("const_generics", const_generics()),
        Bomb::file("array_nested", array_nested()),
    ];
    for (name, zero) in [("zero", true), ("one", false)] {
        let label = |text: &'static str, other: &'static str| if name == "zero" { text } else { other };
        bombs.push(Bomb::file(label("structs_doubling_empty", "structs_doubling"), structs(zero, "struct", "")));
        bombs.push(Bomb::file(label("derives_doubling_empty", "derives_doubling"), derives(zero)));
        bombs.push(Bomb::file(label("drops_doubling_empty", "drops_doubling"), structs(zero, "struct", DROP)));
        bombs.push(Bomb::file(label("enums_doubling_empty", "enums_doubling"), structs(zero, "enum", DROP)));
    }
    bombs.push(Bomb::file("generic_structs_doubling", generic_structs()));
    bombs.push(Bomb::file("threads_1000_tests", thread_tests(1000)));
    bombs.push(Bomb::file("threads_1000_functions", thread_functions(1000)));
    bombs
}

/// `text` for each number of a range, with `#` replaced by the number, and `@` by the number before.
fn numbered(range: std::ops::Range<usize>, text: &str) -> String {
    range.map(|n| text.replace('#', &n.to_string()).replace('@', &n.wrapping_sub(1).to_string())).collect()
}

fn macro_nested() -> String {
    let levels = numbered(1..13, "macro_rules! m# { () => { m@!() + m@!() + m@!() + m@!() } }\n");
    format!("macro_rules! m0 {{ () => {{ 1u64 }} }}\n{levels}fn main() {{ println!(\"{{}}\", m12!()); }}\n")
}

fn macro_nested_items() -> String {
    let levels = numbered(1..13, "macro_rules! m# { () => { m@!(); m@!(); m@!(); m@!(); } }\n");
    format!("macro_rules! m0 {{ () => {{ const _: u8 = 1; }} }}\n{levels}m12!();\nfn main() {{}}\n")
}

/// A macro that doubles its tokens for each element of a list, and then turns them into `made`.
fn doubling(before: &str, made: &str, count: usize, start: &str, call: &str) -> String {
    let list = "a ".repeat(count);
    format!(
        "{before}macro_rules! double {{\n    ([] $($t:tt)*) => {{ {made} }};\n    \
         ([$x:tt $($r:tt)*] $($t:tt)*) => {{ double!([$($r)*] $($t)* $($t)*) }};\n}}\n{}",
        call.replace('#', &format!("double!([{list}] {start})"))
    )
}

fn macro_tokens() -> String {
    doubling("", "[$($t)*].len()", 24, "1,", "fn main() { println!(\"{}\", #); }\n")
}

fn macro_stringify() -> String {
    doubling("", "stringify!($($t)*).len()", 24, "word", "fn main() { println!(\"{}\", #); }\n")
}

fn macro_concat() -> String {
    doubling("", "concat!($($t)*).len()", 24, "\"word\",", "fn main() { println!(\"{}\", #); }\n")
}

/// One repetition copies a large group for each of many tokens.
pub(crate) fn macro_copies() -> String {
    let tokens = "a ".repeat(2000);
    format!(
        "macro_rules! m {{ ([$($x:tt)*] $g:tt) => {{ [$({{ stringify!($g); 1 }}),*].len() }} }}\nfn main() {{ println!(\"{{}}\", m!([{tokens}] ({tokens}))); }}\n"
    )
}

fn macro_sum() -> String {
    let sum = ["1u64"; 16_000].join(" + ");
    format!(
        "macro_rules! m {{ ($($t:tt)*) => {{ $($t)* }} }}\nfn main() {{ let n = m!({sum}); println!(\"{{n}}\"); }}\n"
    )
}

fn macro_modules() -> String {
    let list = "x ".repeat(20);
    format!(
        "macro_rules! m {{\n    ([]) => {{}};\n    ([$x:tt $($r:tt)*]) => {{ mod a {{ m!([$($r)*]); }} mod b {{ m!([$($r)*]); }} }};\n}}\n\
         m!([{list}]);\nfn main() {{}}\n"
    )
}

fn macro_functions() -> String {
    let list = "x ".repeat(20);
    format!(
        "macro_rules! m {{\n    ([]) => {{ pub fn f() {{}} }};\n    ([$x:tt $($r:tt)*]) => {{ m!([$($r)*]); m!([$($r)*]); }};\n}}\n\
         m!([{list}]);\nfn main() {{}}\n"
    )
}

fn macro_impl_items() -> String {
    let list = "x ".repeat(20);
    format!(
        "macro_rules! m {{\n    ([]) => {{ fn f() {{}} }};\n    ([$x:tt $($r:tt)*]) => {{ m!([$($r)*]); m!([$($r)*]); }};\n}}\n\
         struct S;\nimpl S {{ m!([{list}]); fn g() {{}} }}\nfn main() {{ S::g() }}\n"
    )
}

/// Each token is compared with all tokens before it.
fn macro_quadratic() -> String {
    let list = "a ".repeat(100_000);
    format!(
        "macro_rules! m {{\n    () => {{ 0 }};\n    ($x:tt $($r:tt)*) => {{ {{ let n: u32 = m!($($r)*); n + 1 }} }};\n}}\n\
         fn main() {{ println!(\"{{}}\", m!({list})); }}\n"
    )
}

fn macro_endless() -> String {
    "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)*) + m!($($t)* $($t)*) } }\nfn main() { println!(\"{}\", m!(a)); }\n".to_owned()
}

fn macro_types() -> String {
    let levels = numbered(1..21, "macro_rules! m# { () => { (m@!(), m@!()) } }\n");
    format!(
        "macro_rules! m0 {{ () => {{ () }} }}\n{levels}fn f(_: m20!()) {{}}\nfn main() {{ let x: Option<m20!()> = None; println!(\"{{}}\", x.is_some()); }}\n"
    )
}

fn macro_patterns() -> String {
    let levels = numbered(1..21, "macro_rules! m# { () => { (m@!(), m@!()) } }\n");
    format!("macro_rules! m0 {{ () => {{ _ }} }}\n{levels}fn main() {{ let m20!() = todo!(); }}\n")
}

fn macro_statements() -> String {
    let levels = numbered(1..21, "macro_rules! m# { () => { m@!(); m@!(); } }\n");
    format!("macro_rules! m0 {{ () => {{ let _x = 1; }} }}\n{levels}fn main() {{ m20!(); }}\n")
}

fn nested_macro(open: &str, close: &str, depth: usize) -> String {
    format!("fn main() {{ let x = {}1{}; drop(x); }}\n", open.repeat(depth), close.repeat(depth))
}

fn closures() -> String {
    let chain = numbered(1..40, "    let f# = move || (f@, f@);\n");
    format!(
        "fn main() {{\n    let f0 = || 1u8;\n{chain}    let (a, b) = f39();\n    println!(\"{{}}\", std::mem::size_of_val(&a) + std::mem::size_of_val(&b));\n}}\n"
    )
}

fn closures_inferred() -> String {
    let chain = numbered(1..40, "    let f# = |x| { let y = f@(x); (y, y) };\n");
    format!(
        "fn main() {{\n    let f0 = |x| (x, x);\n{chain}    let y = f39(1);\n    println!(\"{{}}\", std::mem::size_of_val(&y));\n}}\n"
    )
}

fn tuples_inferred(count: usize) -> String {
    let chain = numbered(1..count, "    let a# = (a@, a@);\n");
    format!(
        "fn main() {{\n    let a0 = 1;\n{chain}    println!(\"{{}}\", std::mem::size_of_val(&a{}));\n}}\n",
        count - 1
    )
}

fn tuples_cloned(count: usize) -> String {
    let chain = numbered(1..count, "    let a# = (a@.clone(), a@);\n");
    format!("fn main() {{\n    let a0 = String::new();\n{chain}    drop(a{});\n}}\n", count - 1)
}

fn options_inferred(count: usize) -> String {
    let chain = numbered(1..count, "    let a# = Some((a@, a@, a@));\n");
    format!(
        "fn main() {{\n    let a0 = None;\n{chain}    let _: Option<u8> = a0;\n    println!(\"{{}}\", a{}.is_some());\n}}\n",
        count - 1
    )
}

fn pairs_inferred(count: usize) -> String {
    let chain = numbered(1..count, "    let a# = pair(&a@, &a@);\n");
    format!(
        "fn pair<T, U>(a: T, b: U) -> (T, U) {{ (a, b) }}\nfn main() {{\n    let a0 = None;\n{chain}    let _: Option<u8> = a0;\n    drop(a{});\n}}\n",
        count - 1
    )
}

/// Each caller asks for the type of the body that it calls.
fn hidden_types_inferred() -> String {
    let body = options_inferred(100).replace("fn main() {", "fn hidden() -> impl Sized {");
    let callers = numbered(0..10, "pub fn f#() { drop(hidden()) }\n");
    format!("{}\n    a99\n}}\n{callers}fn main() {{ f0() }}\n", body.rsplit_once("    println!").map_or("", |it| it.0))
}

fn structs_nested(count: usize) -> String {
    let chain = numbered(1..count, "struct A#(A@);\n");
    format!(
        "struct A0;\n{chain}fn main() {{ let a: Option<A{}> = None; println!(\"{{}}\", a.is_some()); }}\n",
        count - 1
    )
}

fn tuple_alias() -> String {
    let nested = format!("{}u8{}", "T<".repeat(40), ">".repeat(40));
    format!(
        "type T<A> = (A, A);\nfn f(x: &{nested}) -> usize {{ std::mem::size_of_val(x) }}\npub fn g(x: Vec<{nested}>) {{ drop(x) }}\nfn main() {{ g(Vec::new()); println!(\"{{}}\", std::mem::size_of::<{nested}>()); }}\n"
    )
}

const ASSOCIATED: &str = "trait D { type O; }\nstruct W<T>(T);\nimpl D for u8 { type O = u8; }\nimpl<T: D> D for W<T> { type O = (T::O, T::O); }\n";

fn associated_types() -> String {
    let nested = format!("{}u8{}", "W<".repeat(40), ">".repeat(40));
    format!("{ASSOCIATED}fn main() {{ println!(\"{{}}\", std::mem::size_of::<<{nested} as D>::O>()); }}\n")
}

fn associated_types_used() -> String {
    let nested = format!("{}u8{}", "W<".repeat(40), ">".repeat(40));
    format!(
        "{ASSOCIATED}fn f(x: Option<<{nested} as D>::O>) -> bool {{ x.is_some() }}\npub fn g(x: Vec<<{nested} as D>::O>) -> usize {{ x.len() }}\nfn main() {{ println!(\"{{}}\", f(None)); g(Vec::new()); }}\n"
    )
}

fn instances(larger: &str, made: &str) -> String {
    format!(
        "fn f<T: Clone + std::fmt::Debug>(n: u32, t: T) -> usize {{\n    if n == 0 {{ return format!(\"{{t:?}}\").len(); }}\n    f::<{larger}>(n - 1, {made})\n}}\nfn main() {{ println!(\"{{}}\", f(400, 1u8)); }}\n"
    )
}

fn instances_both() -> String {
    "use std::marker::PhantomData;\nstruct A<T>(PhantomData<T>);\nstruct B<T>(PhantomData<T>);\nfn f<T>(n: u32) -> u64 {\n    if n == 0 { return std::any::type_name::<T>().len() as u64; }\n    f::<A<T>>(n - 1) + f::<B<T>>(n - 1)\n}\nfn main() { println!(\"{}\", f::<u8>(40)); }\n".to_owned()
}

fn instances_closures() -> String {
    "fn f<F: Fn() -> u32 + Copy>(n: u32, g: F) -> u32 {\n    if n == 0 { return g(); }\n    f(n - 1, move || g() + g()) + f(n - 1, move || g() + 1)\n}\nfn main() { println!(\"{}\", f(40, || 1)); }\n".to_owned()
}

fn iterators_nested() -> String {
    let chain = numbered(1..40, "    let i# = i@.clone().chain(i@).map(|it| it + 1);\n");
    format!("fn main() {{\n    let i0 = 0..1u32;\n{chain}    println!(\"{{}}\", i39.count());\n}}\n")
}

fn impls_nested() -> String {
    let nested = format!("{}u8{}", "P<".repeat(25), ">".repeat(25));
    format!(
        "struct P<T>(T);\ntrait A {{ fn f(&self) -> u32 {{ 1 }} }}\ntrait B {{}}\nimpl A for u8 {{}}\nimpl B for u8 {{}}\nimpl<T> A for P<T> where T: A + B, P<T>: B {{}}\nimpl<T> B for P<T> where T: A + B {{}}\nfn g<T: A + ?Sized>(_: Option<&T>) -> u32 {{ 1 }}\nfn main() {{ println!(\"{{}}\", g::<{nested}>(None)); }}\n"
    )
}

fn impls_endless() -> String {
    "struct V<T>(T);\nstruct W<T>(T);\nstruct X<T>(T);\ntrait A { fn f(&self) -> u32 { 1 } }\nimpl<T> A for V<T> where V<W<T>>: A, V<X<T>>: A, V<(T, T)>: A {}\nfn main() { println!(\"{}\", V(1u8).f()); }\npub fn g(x: V<u8>) -> u32 { x.f() }\n".to_owned()
}

fn impls_ambiguous() -> String {
    let impls = numbered(0..60, "struct S#;\nimpl<T: A<U>, U> A<(T, U)> for (S#, T, U) {}\nimpl A<S#> for S# {}\n");
    let calls = numbered(1..30, "    let x# = pick(&x@); let y# = (Default::default(), x#, x@); let _ = need(&y#);\n");
    format!(
        "trait A<T> {{}}\nfn need<T: A<U>, U>(_: &T) -> Option<U> {{ None }}\nfn pick<T: A<U>, U>(_: &T) -> U {{ todo!() }}\n{impls}fn main() {{\n    let x0 = Default::default();\n{calls}    let _: (S0, S1, S2) = x0;\n}}\n"
    )
}

fn bounds_doubling() -> String {
    let supers = numbered(1..25, "trait A#: A@ + B@ {}\ntrait B#: A@ + B@ {}\n");
    format!(
        "trait A0 {{ fn f(&self) {{}} }}\ntrait B0 {{ fn g(&self) {{}} }}\n{supers}fn h<T: A24 + B24>(t: T) {{ t.f(); t.g(); }}\nfn k(t: &dyn A24) {{ t.f(); t.g(); }}\nfn main() {{}}\npub fn p<T: A24 + B24 + Clone>(t: T) {{ h(t.clone()); k(&t); }}\n"
    )
}

fn deref_endless() -> String {
    "use std::ops::Deref;\nstruct W<T>(T);\nimpl<T> Deref for W<T> { type Target = W<W<T>>; fn deref(&self) -> &W<W<T>> { todo!() } }\nfn main() { let w = W(1); w.missing(); let n: u8 = w.field; println!(\"{n}\"); }\n".to_owned()
}

fn futures_doubling() -> String {
    let chain = numbered(1..30, "pub async fn f#() -> u64 { f@().await + f@().await }\n");
    format!(
        "pub async fn f0() -> u64 {{ 1 }}\n{chain}fn main() {{ println!(\"{{}}\", std::mem::size_of_val(&f29())); }}\n"
    )
}

fn dyn_doubling() -> String {
    let chain = numbered(
        1..40,
        "impl T for S# { fn f(&self) -> Box<dyn Fn() -> Box<dyn T>> { Box::new(|| { let (a, b) = (S@.f(), S@.f()); if true { a() } else { b() } }) } }\nstruct S#;\n",
    );
    format!(
        "trait T {{ fn f(&self) -> Box<dyn Fn() -> Box<dyn T>>; }}\nstruct S0;\nimpl T for S0 {{ fn f(&self) -> Box<dyn Fn() -> Box<dyn T>> {{ Box::new(|| Box::new(S0)) }} }}\n{chain}fn main() {{ S39.f()(); }}\n"
    )
}

fn constant(items: &str, used: &str) -> String {
    format!("{items}\nfn main() {{ println!(\"{{}}\", {used}); }}\n")
}

fn const_doubling() -> String {
    let chain = numbered(
        1..40,
        "const C#: &[&[u8]] = &[C@[0], C@[0]];\nconst N#: [[u8; N@.len() * 2]; 2] = [[0; N@.len() * 2]; 2];\nconst A#: (u64, u64) = (A@.0 + A@.1, A@.0 + A@.1);\n",
    );
    format!(
        "const C0: &[&[u8]] = &[&[1]];\nconst N0: [u8; 2] = [0; 2];\nconst A0: (u64, u64) = (1, 1);\n{chain}fn main() {{ println!(\"{{}} {{}} {{}}\", C39.len(), N39.len(), A39.0); }}\n"
    )
}

/// Each constant takes some time.
fn const_many() -> String {
    let items = numbered(0..500, "const C#: [u8; f(900_000 + #) % 7] = [0; f(900_000 + #) % 7];\n");
    let uses = numbered(0..500, "    n += C#.len();\n");
    format!(
        "const fn f(n: usize) -> usize {{ let mut i = 0; while i < n {{ i += 1; }} i }}\n{items}fn main() {{\n    let mut n = 0;\n{uses}    println!(\"{{n}}\");\n}}\n"
    )
}

fn const_generics() -> String {
    "struct S<const N: usize>;\nimpl<const N: usize> S<N> { const M: usize = N * 2 + 1; fn f(n: u32) -> usize { if n == 0 { N } else { S::<{ Self::M }>::f(n - 1) + S::<{ Self::M + 1 }>::f(n - 1) } } }\nfn g<const N: usize>() -> [u8; N] { [0; N] }\nfn main() { println!(\"{} {}\", S::<1>::f(40), g::<{ usize::MAX }>().len()); }\n".to_owned()
}

fn array_nested() -> String {
    let nested = format!("{}u8{}", "[".repeat(40), "; 1000]".repeat(40));
    format!(
        "static A: Option<{nested}> = None;\npub fn f(x: &{nested}) -> usize {{ std::mem::size_of_val(x) }}\nfn main() {{ println!(\"{{}}\", A.is_some()); }}\n"
    )
}

const DROP: &str = "impl Drop for A0 { fn drop(&mut self) {} }\n";

/// Each type has two values of the previous one.
fn structs(is_empty: bool, kind: &str, drop: &str) -> String {
    let first = if is_empty { "struct A0;" } else { "struct A0(u8);" };
    let chain = match kind {
        "enum" => numbered(1..31, "enum A# { X(A@, A@), Y(A@), Z }\n"),
        _ => numbered(1..31, "struct A#(A@, A@);\n"),
    };
    format!(
        "{first}\n{drop}{chain}pub fn f(a: Option<&A30>) -> usize {{ a.map_or(0, std::mem::size_of_val) }}\npub fn g(a: Vec<A30>) {{ drop(a) }}\npub fn h(a: A30) -> Box<A30> {{ Box::new(a) }}\nfn main() {{ println!(\"{{}} {{}}\", f(None), std::mem::needs_drop::<A30>()); g(Vec::new()); }}\n"
    )
}

fn derives(is_empty: bool) -> String {
    let derive = "#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)] ";
    let first = if is_empty { "pub(crate) struct A0;" } else { "pub struct A0(u8);" };
    let chain = numbered(1..31, &format!("{derive}pub(crate) struct A#(A@, A@);\n"));
    format!(
        "{derive}{first}\n{chain}pub fn f(a: &A30) -> String {{ format!(\"{{a:?}}\") }}\nfn main() {{ let a = Box::new(A30::default()); println!(\"{{}}\", *a == *a.clone()); f(&a); }}\n"
    )
}

fn generic_structs() -> String {
    let nested = format!("{}u8{}", "W<".repeat(40), ">".repeat(40));
    format!(
        "#[derive(Clone, Debug, Default, PartialEq)]\npub(crate) struct W<T>(T, T);\npub fn f(x: &{nested}) -> usize {{ std::mem::size_of_val(x) }}\npub fn g(x: Vec<{nested}>) -> Vec<{nested}> {{ x.clone() }}\nfn main() {{ g(Vec::new()); let x: Option<Box<{nested}>> = None; println!(\"{{}} {{}}\", std::any::type_name::<{nested}>().len(), x == None); }}\n"
    )
}

fn thread_tests(count: usize) -> String {
    numbered(
        0..count,
        "%[test]\nfn t#() {\n    let m = std::sync::Arc::new(std::sync::Mutex::new(0u32));\n    let n = m.clone();\n    let t = std::thread::spawn(move || for _ in 0..2000 { *n.lock().unwrap() += 1; });\n    for _ in 0..2000 { *m.lock().unwrap() += 1; }\n    t.join().unwrap();\n}\n",
    )
    .replace('%', "#")
}

fn thread_functions(count: usize) -> String {
    numbered(
        0..count,
        "pub fn f#() -> u32 {\n    let t = std::thread::spawn(|| { let mut n = 0u32; for i in 0..3000 { n ^= i; } n });\n    t.join().unwrap()\n}\n",
    )
}
