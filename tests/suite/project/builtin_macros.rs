//! Builtin macros: well-known procedural macros that need no library.

#[path = "imitations/mod.rs"]
mod imitations;
use crate::support::Folder;

/// A package in the folder `app` that depends on some of the imitations.
pub(super) fn app(needs: &[&str], program: &str) -> Folder {
    let dependencies: String = needs.iter().map(|it| format!("{it} = {{ path = \"../{it}\" }}\n")).collect();
    let manifest = format!("[package]\nname = \"app\"\nedition = \"2021\"\n[dependencies]\n{dependencies}");
    let folder = Folder::new(imitations::FILES);
    for (path, text) in imitations::macros() {
        folder.write(&path, text.as_bytes());
    }
    folder.write("app/Cargo.toml", manifest.as_bytes());
    folder.write("app/src/main.rs", program.as_bytes());
    folder
}

/// The program's output; nothing in it is uninterpreted.
pub(super) fn prints(needs: &[&str], program: &str) -> String {
    let folder = app(needs, program);
    let (stdout, stderr, status) = folder.output_in("app", &["run", "--untrusted"]);
    assert_eq!((stderr.as_str(), status), ("", 0), "{stdout}{stderr}");
    stdout
}

#[test]
fn a_main_of_tokio() {
    let program = r#"
        #[tokio::main]
        async fn main() -> Result<(), std::num::ParseIntError> {
            let n: u32 = "7".parse()?;
            println!("{}", twice(n).await);
            Ok(())
        }
        async fn twice(n: u32) -> u32 { n * 2 }
    "#;
    assert_eq!(prints(&["tokio"], program), "runtime: multi thread, 0\n14\n");
    let with = |args: &str| program.replace("tokio::main", &format!("tokio::main({args})"));
    assert_eq!(prints(&["tokio"], &with("flavor = \"current_thread\"")), "runtime: current thread, 1\n14\n");
    let workers = with("flavor = \"multi_thread\", worker_threads = 3");
    assert_eq!(prints(&["tokio"], &workers), "runtime: multi thread, 3\n14\n");
}

/// Unknown arguments leave the item unchanged and are reported.
#[test]
fn arguments_that_are_not_known() {
    let program = "#[tokio::main(flavor = \"lunar\")]\nasync fn main() {}\n";
    let (stdout, stderr, status) = app(&["tokio"], program).output_in("app", &["check", "--untrusted"]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("not analysed: its `main` is `async`"), "{stderr}");
    assert!(
        stderr.contains("not expanded: `#[tokio::main]` (src/main.rs:1:3): not supported: the flavour `lunar`"),
        "{stderr}"
    );
}

/// The steps and locations of a finding are the user's, as without the attribute.
#[test]
fn a_deadlock_in_an_async_main() {
    let program = "use std::sync::Mutex;\n\n#[tokio::main]\nasync fn main() {\n    let lock = Mutex::new(1);\n    let first = lock.lock().unwrap();\n    let second = lock.lock().unwrap();\n    println!(\"{first} {second}\");\n}\n";
    let folder = app(&["tokio"], program);
    let (stdout, stderr, status) = folder.output_in("app", &["check", "--untrusted", "--format", "short"]);
    assert!(stdout.contains("src/main.rs:7:") && stdout.contains("deadlock"), "{stdout}{stderr}");
    assert_eq!(status, 1);
}

#[test]
fn tests_of_tokio_are_entries() {
    let program = r#"
        fn main() {}
        #[cfg(test)]
        mod tests {
            #[tokio::test]
            async fn adds() { assert_eq!(super::three().await, 3); }
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            #[should_panic(expected = "no four")]
            async fn panics() { panic!("no four"); }
            #[tokio::test]
            #[ignore]
            async fn waits() {}
        }
        #[allow(dead_code)]
        async fn three() -> u32 { 3 }
    "#;
    let folder = app(&["tokio"], program);
    let (stdout, stderr, status) = folder.output_in("app", &["test", "--untrusted"]);
    assert!(stdout.starts_with("2 passed, 0 unknown, 0 failed, 1 ignored"), "{stdout}{stderr}");
    assert_eq!(status, 0);
    let (_, stderr, _) = folder.output_in("app", &["check", "--untrusted"]);
    assert!(stderr.contains("3 entries (1 program, 2 tests)"), "{stderr}");
}

#[test]
fn async_traits() {
    let program = r#"
        use async_trait::async_trait;
        #[async_trait]
        trait Shop: Sync {
            async fn price(&self, (a, b): (u32, u32), mut extra: u32) -> Result<u32, String>;
            async fn twice(&self, n: u32) -> Result<u32, String> {
                let once = self.price((n, 0), 1).await?;
                Ok(once * 2)
            }
            fn name(&self) -> &str;
            async fn close(self: Box<Self>);
        }
        struct Noisy(u32);
        impl Drop for Noisy {
            fn drop(&mut self) { println!("drop {}", self.0) }
        }
        #[async_trait]
        impl Shop for Noisy {
            async fn price(&self, (a, b): (u32, u32), mut extra: u32) -> Result<u32, String> {
                extra += self.0;
                if a == 9 { return Err(format!("no {a}")); }
                Ok(a + b + extra)
            }
            fn name(&self) -> &str { "noisy" }
            async fn close(self: Box<Self>) { println!("close"); }
        }
        #[async_trait(?Send)]
        trait Plain { async fn own(&self, what: Noisy); }
        #[async_trait(?Send)]
        impl Plain for () {
            async fn own(&self, _: Noisy) { println!("owned"); }
        }
        #[tokio::main(flavor = "current_thread")]
        async fn main() {
            let shop: Box<dyn Shop + Send> = Box::new(Noisy(5));
            println!("{} {:?} {:?}", shop.name(), shop.twice(2).await, shop.twice(9).await);
            shop.close().await;
            ().own(Noisy(6)).await;
        }
    "#;
    let printed = "runtime: current thread, 1\nnoisy Ok(16) Err(\"no 9\")\nclose\ndrop 5\nowned\ndrop 6\n";
    assert_eq!(prints(&["tokio", "async-trait"], program), printed);
}

/// The two macros behind `tokio::select!`, called as it calls them.
#[test]
fn the_macros_of_select() {
    let program = r#"
        macro_rules! choose {
            ($bind:pat, $value:expr) => {{
                mod util { tokio::select_priv_declare_output_enum!((_ _)); }
                let disabled: util::Mask = 1;
                let out: util::Out<u8, Option<String>> = util::Out::_1($value);
                if let util::Out::_1(out) = &out {
                    #[allow(unused_variables)]
                    match out {
                        tokio::select_priv_clean_pattern!($bind) => println!("fits {disabled}"),
                        _ => println!("does not"),
                    }
                }
                match out {
                    util::Out::_1($bind) => println!("matched"),
                    util::Out::_0(_) | util::Out::Disabled => println!("other"),
                    _ => println!("unmatched"),
                }
            }};
        }
        fn main() {
            choose!(Some(ref _it), Some("a".to_owned()));
            choose!(Some(mut _it), None);
        }
    "#;
    assert_eq!(prints(&["tokio"], program), "fits 1\nmatched\ndoes not\nunmatched\n");
}

#[test]
fn errors_of_thiserror() {
    let program = r#"
        use std::error::Error as _;
        #[derive(Debug, thiserror::Error)]
        enum Failure {
            #[error("number {0:>3}, {{brace}}")]
            Number(u32),
            #[error("{what} is {}", .0)]
            Odd { what: String },
            #[error("{what} failed")]
            Named { what: &'static str, source: std::num::ParseIntError },
            #[error("parse")]
            Parse(#[from] std::num::ParseIntError),
            #[error(transparent)]
            Other(Box<dyn std::error::Error>),
        }
        #[derive(Debug, thiserror::Error)]
        #[error("alone")]
        struct Alone;
        fn parse(text: &str) -> Result<u32, Failure> { Ok(text.parse::<u32>()?) }
        fn main() {
            println!("{}", Failure::Number(7));
            let inner = "x".parse::<u32>().unwrap_err();
            let named = Failure::Named { what: "it", source: inner };
            println!("{named} {}", named.source().unwrap());
            let failed = parse("y").unwrap_err();
            println!("{failed} {:?} {}", failed, failed.source().is_some());
            let other = Failure::Other(Box::new(Alone));
            println!("{other} {}", other.source().is_none());
        }
    "#;
    let printed = "number   7, {brace}\nit failed invalid digit found in string\nparse Parse(ParseIntError { kind: InvalidDigit }) true\nalone true\n";
    assert_eq!(prints(&["thiserror"], program), printed);
}

#[test]
fn what_serde_writes() {
    let program = r#"
        use serde::{Serialize, Text};
        #[derive(Serialize)]
        struct Point { name: u32, y: Width }
        #[derive(Serialize)]
        struct Width(u32);
        #[derive(Serialize)]
        enum Kind { Plain, Pair(u32, u32), Nothing() }
        fn main() {
            println!("{:?}", Point { name: 1, y: Width(2) }.serialize(Text));
            println!("{:?} {:?}", Kind::Plain.serialize(Text), Kind::Pair(3, 4).serialize(Text));
            println!("{:?}", Kind::Nothing().serialize(Text));
        }
    "#;
    let printed =
        "Ok(\"Point/2 name=1 y=Width(2)\")\nOk(\"Kind#0.Plain\") Ok(\"Kind#1.Pair/2 3 4\")\nOk(\"Kind#2.Nothing/0\")\n";
    assert_eq!(prints(&["serde"], program), printed);
}

/// Parameters, their bounds and defaults, `where` clauses, and the bounds that the macro adds: types that violate them
/// have no impl.
#[test]
fn errors_with_parameters() {
    let program = r#"
        use std::error::Error as _;
        use std::fmt::{Debug, Display};
        #[derive(Debug, thiserror::Error)]
        enum Failure<'a, T, E = std::num::ParseIntError, const N: usize = 3>
        where
            T: Clone,
        {
            #[error("value {0} of {N}")]
            Value(T),
            #[error("at {place}: {what:?}")]
            At { place: &'a str, what: Option<T> },
            #[error("inner")]
            Inner { source: E },
            #[error(transparent)]
            Other(Wrapped<E>),
        }
        #[derive(Debug, thiserror::Error)]
        #[error("wrapped {0}")]
        struct Wrapped<E>(#[from] E);
        #[derive(Debug, thiserror::Error)]
        #[error("{count:#x}")]
        struct Hex<T: Copy> where T: 'static { count: T }
        #[derive(Clone, Debug)]
        struct Mute;
        struct Probe<T>(std::marker::PhantomData<T>);
        impl<T: Display> Probe<T> { fn displays(&self) -> bool { true } }
        impl<T: std::error::Error> Probe<T> { fn is_error(&self) -> bool { true } }
        trait Otherwise { fn displays(&self) -> bool { false } fn is_error(&self) -> bool { false } }
        impl<T> Otherwise for Probe<T> {}
        macro_rules! probe { ($ty:ty) => {{ let it = Probe::<$ty>(Default::default()); (it.displays(), it.is_error()) }} }
        fn shows<T: Display + Debug>(it: &T) -> String { format!("{it} {it:?}") }
        fn has_source<T: std::error::Error>(it: &T) -> bool { it.source().is_some() }
        fn main() {
            let value: Failure<u32> = Failure::Value(5);
            println!("{} {}", shows(&value), has_source(&value));
            let at: Failure<&str> = Failure::At { place: "here", what: Some("x") };
            println!("{}", shows(&at));
            let inner: Failure<u8> = Failure::Inner { source: "x".parse::<u32>().unwrap_err() };
            println!("{} {}", inner, inner.source().unwrap());
            let other: Failure<u8> = Failure::Other("y".parse::<u32>().unwrap_err().into());
            println!("{} {}", other, other.source().is_some());
            println!("{}", Hex { count: 255u16 });
            println!("{:?} {:?}", probe!(Failure<u8>), probe!(Failure<Mute>));
            println!("{:?} {:?} {:?}", probe!(Hex<f32>), probe!(Wrapped<Mute>), probe!(Failure<u8, Mute>));
        }
    "#;
    let printed = "value 5 of 3 Value(5) false\nat here: Some(\"x\") At { place: \"here\", what: Some(\"x\") }\ninner invalid digit found in string\nwrapped invalid digit found in string true\n0xff\n(true, true) (false, false)\n(false, false) (false, false) (false, false)\n";
    assert_eq!(prints(&["thiserror"], program), printed);
}

#[test]
fn what_serde_writes_of_parameters() {
    let program = r#"
        use serde::{Deserialize, Serialize, Text};
        use std::marker::PhantomData;
        #[derive(Serialize)]
        struct Point<'a, T, const N: usize = 2> where T: 'a { name: u32, y: &'a T, mark: PhantomData<fn() -> [u8; N]> }
        #[derive(Serialize, Deserialize)]
        struct Width<T = u32>(T);
        #[derive(Serialize)]
        enum Kind<T: Clone> { Plain, Pair(T, Width<T>) }
        #[derive(Serialize)]
        struct First<I: Iterator>(I::Item);
        #[derive(Serialize)]
        struct Marked<T>(PhantomData<T>);
        #[derive(Serialize, Deserialize)]
        #[serde(bound(serialize = "T: Serialize + Copy", deserialize = "T: Deserialize<'de> + Copy,"))]
        struct Bound<T>(T);
        #[derive(Deserialize)]
        struct Skips<'a, T, U> { name: &'a str, #[serde(skip)] no: T, it: U }
        #[derive(Clone)]
        struct Mute;
        struct Probe<T>(PhantomData<T>);
        impl<T: Serialize> Probe<T> { fn writes(&self) -> bool { true } }
        impl<T: for<'de> Deserialize<'de>> Probe<T> { fn reads(&self) -> bool { true } }
        trait Otherwise { fn writes(&self) -> bool { false } fn reads(&self) -> bool { false } }
        impl<T> Otherwise for Probe<T> {}
        macro_rules! probe { ($ty:ty) => {{ let it = Probe::<$ty>(PhantomData); (it.writes(), it.reads()) }} }
        fn written<T: Serialize>(it: T) -> String { it.serialize(Text).unwrap() }
        fn borrowed<'a, T: Deserialize<'a>>() -> bool { true }
        fn main() {
            println!("{}", written(Point::<u32> { name: 1, y: &2, mark: PhantomData }));
            println!("{} {}", written(Kind::<u32>::Plain), written(Kind::Pair(3u32, Width(4))));
            println!("{} {}", written(First::<std::vec::IntoIter<u32>>(5)), written(Width(6u32)));
            println!("{:?} {:?} {:?}", probe!(Width<u32>), probe!(Width<Mute>), probe!(Kind<Mute>));
            println!("{:?} {:?}", probe!(First<std::vec::IntoIter<Mute>>), probe!(Marked<Mute>));
            println!("{:?} {:?}", probe!(Bound<u32>), probe!(Bound<Width<u32>>));
            println!("{}", borrowed::<Skips<'_, u8, u32>>());
        }
    "#;
    let printed = "Point/3 name=1 y=2 mark=()\nKind#0.Plain Kind#1.Pair/2 3 Width(4)\nFirst(5) Width(6)\n(true, true) (false, false) (false, false)\n(false, false) (true, false)\n(true, true) (false, false)\ntrue\n";
    assert_eq!(prints(&["serde"], program), printed);
}

#[test]
fn options_with_parameters() {
    let program = r#"
        use clap::{Args, Parser, Subcommand};
        #[derive(Parser)]
        struct Options<T: Args + Default> where T: Clone { #[command(flatten)] inner: T, #[arg(long)] count: u32 }
        #[derive(Args, Clone, Default)]
        struct Inner<const N: usize> { #[arg(long)] flag: bool }
        #[derive(Subcommand)]
        enum Command<T: Args, const N: usize = 1> { Run(T), Nothing }
        fn parses<T: Parser>() -> bool { true }
        fn has<T: Subcommand>() -> bool { true }
        fn main() {
            println!("{} {}", parses::<Options<Inner<2>>>(), has::<Command<Inner<1>>>());
        }
    "#;
    assert_eq!(prints(&["clap"], program), "true true\n");
}

/// The command-line options of a program are made up like other inputs.
#[test]
fn options_are_made_up() {
    let program = r#"
        use clap::Parser;
        #[derive(Parser)]
        struct Options { #[arg(long, short)] threads: usize, #[arg(long, env = "NAME")] name: Option<String>, files: Vec<std::path::PathBuf> }
        static mut COUNT: usize = 0;
        fn main() {
            let options = Options::parse();
            if options.threads > 3 && options.name.is_some_and(|it| it.len() < 1000) && !options.files.is_empty() {
                let thread = std::thread::spawn(|| unsafe { COUNT += 1 });
                unsafe { COUNT += 5 };
                thread.join().unwrap();
            }
        }
    "#;
    let folder = app(&["clap"], program);
    let (stdout, stderr, status) = folder.output_in("app", &["check", "--untrusted", "--no-cache"]);
    assert!(stdout.contains("update `COUNT`") && stdout.contains("= given: `threads` = ") && status == 1, "{stdout}");
    assert!(stdout.contains("some-input") && !stderr.contains("is not expanded"), "{stdout}{stderr}");
}

/// What clap does not take is no derive either.
#[test]
fn options_that_are_no_options() {
    let program = "#[derive(clap::Parser)]\nstruct Options(u32);\nfn main() {}\n";
    let (_, stderr, _) = app(&["clap"], program).output_in("app", &["check", "--untrusted"]);
    assert!(stderr.contains("a struct whose fields have no names"), "{stderr}");
    let program = "#[derive(clap::Parser)]\nstruct Options { #[arg(long, help)] count: u32 }\nfn main() {}\n";
    let (_, stderr, _) = app(&["clap"], program).output_in("app", &["check", "--untrusted"]);
    assert!(stderr.contains("`help` without a value"), "{stderr}");
}

/// Types and bounds are known, the values are not; the cause names the macro.
#[test]
fn what_comes_from_outside() {
    let program = r#"
        use structopt::StructOpt;
        #[derive(StructOpt)]
        struct Options { count: u32 }
        fn main() {
            let options = Options::from_args();
            let doubled: u32 = options.count.wrapping_mul(2);
            println!("{}", doubled % 2);
        }
    "#;
    let (_, stderr, _) = app(&["structopt"], program).output_in("app", &["run", "--untrusted"]);
    assert!(stderr.contains("`structopt::StructOpt` is not expanded"), "{stderr}");
    let program = r#"
        #[derive(serde::Deserialize, serde::Serialize)]
        #[serde(tag = "kind")]
        enum Width { Some { of: u32 } }
        struct None;
        impl<'de> serde::Deserializer<'de> for None { type Error = (); }
        fn main() {
            let width: Result<Width, ()> = serde::Deserialize::deserialize(None);
            if let Ok(Width::Some { of }) = width { println!("{of}"); }
        }
    "#;
    let (_, stderr, _) = app(&["serde"], program).output_in("app", &["run", "--untrusted"]);
    assert!(stderr.contains("`serde::Deserialize` is not expanded"), "{stderr}");
}

/// The same as with the real crate.
#[test]
fn pasted_names() {
    let program = r##"
        use paste::paste;

        macro_rules! getters {
            ($name:ident { $($field:ident : $ty:ty = $value:expr),* $(,)? }) => {
                struct $name { $($field: $ty),* }
                paste! {
                    impl $name {
                        #[doc = "A new `" $name "`."]
                        pub fn [<new_ $name:snake>]() -> Self { $name { $($field: $value),* } }
                        $(
                            #[doc = "Gets `" $field "`."]
                            pub fn [<get_ $field>](&self) -> &$ty { &self.$field }
                            pub fn [<set_ $field:lower>](&mut self, value: $ty) { self.$field = value; }
                            pub const [<$field:upper _NAME>]: &'static str = stringify!([<$field:camel>]);
                        )*
                    }
                }
            };
        }

        getters!(HttpServer { port: u16 = 80, host_name: String = "a".to_owned() });

        paste! {
            const [<A 1 _ b "c-d">]: u32 = 5;
            fn [<in_ env!("CARGO_PKG_NAME")>]<[<'a b>]>(text: &[<'a b>] str) -> &[<'a b>] str { text }
            enum [<Kind>] { [<One 1>], [<Two 2>] }
        }

        macro_rules! call { ($($n:literal),*) => { paste! { [$([<f $n>](),)*] } } }
        fn f1() -> u8 { 1 }
        fn f2() -> u8 { 2 }

        macro_rules! locals { ($a:ident) => { paste! {{ let [<$a _local>] = 3; let x = [<$a _local>] + 1; x }} } }

        mod some { pub mod inner_x { pub fn go() -> &'static str { "gone" } } }

        fn main() {
            let mut server = HttpServer::new_http_server();
            server.set_port(8080);
            println!("{} {} {} {}", server.get_port(), server.get_host_name(), HttpServer::PORT_NAME, HttpServer::HOST_NAME_NAME);
            println!("{} {} {:?}", A1_bc_d, in_app("hi"), call!(1, 2));
            println!("{} {}", locals!(q), Kind::One1 as u8 + Kind::Two2 as u8);
            println!("{}", paste! { some::[<inner_ x>]::go() });
        }
    "##;
    assert_eq!(prints(&["paste"], program), "8080 a Port HostName\n5 hi [1, 2]\n4 1\ngone\n");
    let program = "fn main() { let _: u32 = paste::paste! { [<a :kebab>] }; }";
    let (_, stderr, _) = app(&["paste"], program).output_in("app", &["run", "--untrusted"]);
    assert!(stderr.contains("`paste::paste!` is not expanded"), "{stderr}");
}

#[test]
fn random_constants() {
    let program = r#"
        use const_random_macro::const_random;

        const A: u64 = const_random!(u64);
        const B: u64 = const_random!(u64);
        const BYTES: [u8; 9] = const_random!([u8; 9]);
        const SMALL: i8 = const_random!(i8);

        fn main() {
            println!("{} {} {} {}", A != B, A == A, BYTES.iter().any(|it| *it != BYTES[0]), SMALL >= 0);
        }
    "#;
    assert_eq!(prints(&["const-random-macro"], program), "true true true true\n");
}

/// Strange tokens are no more than macros that are not expanded.
#[test]
fn malformed_arguments() {
    let program = r#"
        #[derive(serde::Serialize)] #[serde(,)] struct Empty { #[serde(, ,)] a: u32 }
        #[derive(serde::Serialize)] #[serde(bound = "'")] struct Bound<T> { a: T }
        #[derive(serde::Serialize)] #[serde(bound = "T: Clone } {")] struct Brace<T> { a: T }
        #[derive(serde::Serialize)] #[] struct Bare { #[] a: u32 }
        #[derive(strum::EnumString)] #[] enum Kind { #[] A }
        #[derive(structopt::StructOpt)] struct Options { #[structopt(raw(default_value = "} '"))] #[] a: u32 }
        macro_rules! twice { ($a:ident) => { paste::paste! { twice! { [<$a $a>] } } } }
        twice! { name }
        paste::paste! { const A: f64 = [<1 e>]; const B: u32 = [<0 x>]; }
        fn main() { println!("end"); }
    "#;
    let folder = app(&["serde", "strum", "structopt", "paste"], program);
    let (stdout, stderr, status) = folder.output_in("app", &["check", "--untrusted", "--no-cache"]);
    assert!(!stderr.contains("internal error") && status <= 2, "{status} {stdout}{stderr}");
    for reason in ["not supported: a very long name", "not supported: `1e` is no literal"] {
        assert!(stderr.contains(reason), "{stderr}");
    }
}

/// A fixture has a function for each number of arguments, with all of its parameters.
#[test]
fn a_fixture_with_very_many_parameters() {
    let parameters: String = (0..5000).map(|it| format!("#[default({it})] a{it}: u32,")).collect();
    let lists = "#[values(1, 2, 3, 4)]".replace("4", &"1,".repeat(2000));
    let program = format!(
        "#[rstest::fixture]\nfn many({parameters}) -> u32 {{ 1 }}\n#[rstest::rstest]\n\
         fn none({lists} a: u32, {lists} b: u32, {lists} c: u32, #[values()] d: u32) {{}}\n"
    );
    let folder = app(&["rstest"], "fn main() {}\n");
    folder.write("app/tests/many.rs", program.as_bytes());
    let (stdout, stderr, status) = folder.output_in("app", &["check", "--untrusted", "--no-cache"]);
    assert!(stderr.contains("not supported: 5000 parameters") && status == 0, "{status} {stdout}{stderr}");
}
