//! Procedural macros that are interpreted (decision 39).

use crate::support::Folder;

/// A program with the macros of this source.
fn app(macros: &str, program: &str) -> Folder {
    let library = "[package]\nname = \"signs\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n";
    Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"app\"\nedition = \"2021\"\n[dependencies]\nsigns = { path = \"signs\" }\n"),
        ("src/main.rs", program),
        ("signs/Cargo.toml", library),
        ("signs/src/lib.rs", &format!("use proc_macro::*;\n{macros}")),
    ])
}

/// The program's output; nothing in it is uninterpreted.
fn printed(folder: &Folder) -> String {
    let (stdout, stderr, status) = folder.output(&["run", "--untrusted"]);
    assert_eq!((stderr.as_str(), status), ("", 0), "{stdout}");
    stdout
}

/// The message of a check about the macro that is not expanded.
fn message(macros: &str, program: &str) -> String {
    let (_, stderr, _) = app(macros, program).output(&["check", "--untrusted"]);
    let line = stderr.lines().find(|it| it.starts_with("not expanded: "));
    line.unwrap_or_else(|| panic!("{stderr}")).to_owned()
}

/// Tokens of all kinds pass through a macro unchanged: as tokens, and as text.
#[test]
fn tokens_come_back() {
    let macros = r##"
        #[proc_macro] pub fn same(tokens: TokenStream) -> TokenStream { tokens }
        #[proc_macro] pub fn text(tokens: TokenStream) -> TokenStream { tokens.to_string().parse().unwrap() }
        #[proc_macro] pub fn made(_: TokenStream) -> TokenStream {
            let literals = [
                Literal::i32_suffixed(-5), Literal::f64_unsuffixed(2.0), Literal::string("a\"'\n\u{e9}"),
                Literal::byte_string(b"\0z"), Literal::character('\''), "0x1Fu8".parse().unwrap(),
            ];
            let mut all = TokenStream::new();
            for literal in literals {
                all.extend([TokenTree::from(literal), Punct::new(',', Spacing::Alone).into()]);
            }
            TokenTree::from(Group::new(Delimiter::Parenthesis, all)).into()
        }
    "##;
    let program = r##"
        macro_rules! in_rules { ($($all:tt)*) => { signs::same! { $($all)* } signs::text! { mod b { $($all)* } } } }
        in_rules! {
            /// Documented.
            pub fn all<'a, T: 'a + Copy>(r#in: &'a [T], n: u8) -> (char, &'static str, f32, u64, Vec<T>) {
                let ranges = (1..3, 1..=2, 1.max(2), -1i32 << 1, n as u16 >> 1, 1.0e-3f64);
                assert!(ranges.0.len() == 2 && !(ranges.2 != 2) && r#in.iter().all(|_| true));
                'outer: loop { break 'outer }
                let raw = (r#"a "quoted" b"#, b"bytes", b'\'', br"\n", c"c".to_bytes().len());
                ('\u{41}', raw.0, 1.5e3_f32, 0xFF_u64, r#in.to_vec()) // end
            }
        }
        fn main() {
            println!("{:?}\n{:?}\n{:?}", all(&[1, 2], 7), b::all(&["x"], 7), signs::made!());
        }
    "##;
    let wanted = "('A', \"a \\\"quoted\\\" b\", 1500.0, 255, [1, 2])\n\
        ('A', \"a \\\"quoted\\\" b\", 1500.0, 255, [\"x\"])\n\
        (-5, 2.0, \"a\\\"'\\n\u{e9}\", [0, 122], '\\'', 31)\n";
    assert_eq!(printed(&app(macros, program)), wanted);
}

/// A variable of a macro is not the caller's, unless the macro says so.
#[test]
fn names_have_the_hygiene_of_their_spans() {
    let macros = r#"
        fn set(name: Ident, value: TokenStream) -> TokenStream {
            let mut all: TokenStream = "let".parse().unwrap();
            all.extend([TokenTree::from(name)]);
            all.extend("=".parse::<TokenStream>());
            all.extend([value, ";".parse().unwrap()]);
            all
        }
        #[proc_macro] pub fn hidden(value: TokenStream) -> TokenStream { set(Ident::new("x", Span::mixed_site()), value) }
        #[proc_macro] pub fn seen(value: TokenStream) -> TokenStream { set(Ident::new("x", Span::call_site()), value) }
    "#;
    let program =
        "fn main() { let x = 1; signs::hidden!(2); print!(\"{x} \"); signs::seen!(x + 3); println!(\"{x}\"); }";
    assert_eq!(printed(&app(macros, program)), "1 4\n");
}

/// The user's tokens keep their positions.
#[test]
fn findings_are_where_the_user_wrote_the_code() {
    let macros = r#"
        #[proc_macro_attribute] pub fn traced(_: TokenStream, item: TokenStream) -> TokenStream {
            let printed: TokenStream = "println!(\"called\");".parse().unwrap();
            item.into_iter().map(|it| match it {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let inside = [printed.clone(), group.stream()].into_iter().collect();
                    TokenTree::Group(Group::new(Delimiter::Brace, inside))
                }
                other => other,
            }).collect()
        }
    "#;
    let program = "use std::sync::Mutex;\n\n#[signs::traced]\nfn main() {\n    let lock = Mutex::new(1);\n    let first = lock.lock().unwrap();\n    let second = lock.lock().unwrap();\n    println!(\"{first} {second}\");\n}\n";
    let (stdout, stderr, status) = app(macros, program).output(&["check", "--untrusted", "--format", "short"]);
    assert!(stdout.contains("src/main.rs:7:") && stdout.contains("deadlock"), "{stdout}{stderr}");
    assert_eq!(status, 1);
}

/// Libraries of macros use macros themselves.
#[test]
fn macros_of_macros() {
    let folder = app(
        "#[proc_macro] pub fn seven(_: TokenStream) -> TokenStream { inner::text!(\"3 + 4\").parse().unwrap() }",
        "fn main() { println!(\"{}\", signs::seven!()); }",
    );
    folder.write("signs/Cargo.toml", b"[package]\nname = \"signs\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n[dependencies]\ninner = { path = \"../inner\" }\n");
    folder.write("inner/Cargo.toml", b"[package]\nname = \"inner\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n");
    let inner = "use proc_macro::*;\n#[proc_macro] pub fn text(tokens: TokenStream) -> TokenStream { tokens }\n";
    folder.write("inner/src/lib.rs", inner.as_bytes());
    assert_eq!(printed(&folder), "7\n");
}

const READS: &str = r#"
    #[proc_macro] pub fn read(path: TokenStream) -> TokenStream {
        let path = path.to_string();
        let package = std::env::var("CARGO_MANIFEST_DIR").unwrap();
        let text = std::fs::read_to_string(std::path::Path::new(&package).join(path.trim_matches('"')));
        TokenTree::from(Literal::string(&text.unwrap_or_else(|_| "nothing".to_owned()))).into()
    }
"#;

/// A cached report is not used if a file has changed that a macro read.
#[test]
fn macros_read_files_of_the_package() {
    let program = "fn main() { let n: u32 = signs::read!(\"n.txt\").trim().parse().unwrap_or(7); println!(\"{n}\"); }";
    let folder = app(READS, program);
    assert_eq!(printed(&folder), "7\n");
    folder.write("n.txt", b"3\n");
    assert_eq!(printed(&folder), "3\n");

    let locks = "static M: std::sync::Mutex<u32> = std::sync::Mutex::new(0);\nfn main() {\n    let _guard = M.lock();\n    if signs::read!(\"n.txt\") == \"twice\" {\n        drop(M.lock());\n    }\n}\n";
    folder.write("src/main.rs", locks.as_bytes());
    assert_eq!(folder.output(&["check"]).2, 0);
    assert_eq!(folder.output(&["check"]).2, 0);
    folder.write("n.txt", b"twice");
    assert_eq!(folder.output(&["check"]).2, 1);
}

/// A macro cannot tell what lies outside of the project.
#[test]
fn macros_read_nothing_else() {
    let says = message(READS, "signs::read!(\"/etc/hostname\");\nfn main() {}\n");
    assert_eq!(says, "not expanded: `signs::read!` (src/main.rs:1:1)");
}

/// What rests on chance, on something outside or on code that is not understood is no expansion.
#[test]
fn expansions_that_are_not_known() {
    let derive = |body: &str| {
        let macros = format!("#[proc_macro_derive(Sign)] pub fn sign(_: TokenStream) -> TokenStream {{ {body} }}");
        let says = message(&macros, "#[derive(signs::Sign)]\nstruct S;\nfn main() {}\n");
        let reason = says.strip_prefix("not expanded: `#[derive(signs::Sign)]` (src/main.rs:1:3): ");
        reason.unwrap_or_else(|| panic!("{says}")).to_owned()
    };
    assert_eq!(derive("panic!(\"no {}\", \"fields\")"), "it panicked: no fields");
    let outside = "let n = std::path::Path::new(\"/etc/hostname\").exists();
        format!(\"const N: bool = {n};\").parse().unwrap()";
    assert_eq!(derive(outside), "its expansion depends on something outside of the package");
    let foreign =
        "extern \"C\" { fn other() -> u32; } format!(\"const N: u32 = {};\", unsafe { other() }).parse().unwrap()";
    assert_eq!(derive(foreign), "its code is not understood: foreign function `other` at signs/src/lib.rs:2:146");
    assert_eq!(derive("loop {}"), "the bound on steps");
}

/// What a macro writes or starts stays in the interpreter.
#[test]
fn macros_do_nothing_outside() {
    let macros = r#"
        #[proc_macro] pub fn writes(_: TokenStream) -> TokenStream {
            std::fs::write(format!("{}/ran", std::env::var("CARGO_MANIFEST_DIR").unwrap()), "").unwrap();
            "7".parse().unwrap()
        }
        #[proc_macro] pub fn starts(_: TokenStream) -> TokenStream {
            let status = std::process::Command::new("touch").arg("ran").status();
            status.is_ok().to_string().parse().unwrap()
        }
    "#;
    let folder = app(macros, "fn main() { println!(\"{}\", signs::writes!()); println!(\"{}\", signs::starts!()); }");
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert!(stdout.starts_with("7\n") && stderr.contains("`signs::starts` is not expanded"), "{stdout}{stderr}");
    assert!(!folder.path().join("ran").exists());
}
