//! Builtin derives: derive_more, strum, displaydoc, smart-default, zerovec, yoke, further forms of thiserror, serde and
//! structopt.
//!
//! What they print is what the real macros print.

use super::builtin_macros::{app, prints};

#[test]
fn derives_of_derive_more() {
    let program = r#"
        use derive_more::{Add, AddAssign, AsRef, Constructor, Deref, DerefMut, Display, Error, From, FromStr, Index, Into, IntoIterator, IsVariant, LowerHex, Mul, Neg, Sum, Unwrap};
        use std::error::Error as _;
        #[derive(Display, From, Into, Debug, Clone, Copy, Add, AddAssign, Sum, Mul, PartialEq, FromStr, LowerHex, Neg)]
        struct Width(i32);
        #[derive(Display, Debug, Constructor, From, Into)]
        #[display("({x}, {} {})", y, x + 1)]
        struct Point { x: i32, y: i32 }
        #[derive(Display, Debug, From, IsVariant, Unwrap)]
        #[display("shape: {_variant}")]
        enum Shape<T> { #[display("{_0:>4}|{}", _0)] Circle(T), #[from(skip)] Square(u8), Nothing, #[from(skip)] #[display("{_0}-{_1:?}")] Both(u8, String) }
        #[derive(Display)]
        #[display(rename_all = "kebab-case")]
        enum Plain { OneTwo, #[display("x")] Three, #[display("{_0:?}")] Four(&'static str) }
        #[derive(Deref, DerefMut, IntoIterator, Index, AsRef, Default)]
        struct List { #[deref] #[deref_mut] #[into_iterator(owned, ref)] #[index] #[as_ref] items: Vec<u8>, #[allow(dead_code)] n: u8 }
        #[derive(Display, Debug, Error)]
        enum Bad { #[display("parse")] Parse(std::num::ParseIntError), #[display("named {source}")] Named { source: std::num::ParseIntError }, #[display("none")] None }
        #[derive(From)]
        #[allow(dead_code)]
        enum Only { #[from] A(u8), B(u16) }
        fn main() {
            let w: Width = 5.into();
            println!("{w} {w:04} {:?} {} {:x}", w + Width(2), [w, w].into_iter().sum::<Width>(), w * 3);
            let mut m = w; m += Width(1);
            println!("{m} {} {:?} {:?} {}", i32::from(w), "7".parse::<Width>(), "x".parse::<Width>().is_err(), -w);
            let p = Point::new(1, 2);
            println!("{p} {:?}", Point::from((3, 4))); println!("{:?}", <(i32, i32)>::from(p));
            println!("{}|{}|{}|{}", Shape::Circle(1), Shape::<u8>::Square(2), Shape::<u8>::Nothing, Shape::<u8>::Both(1, "q".into()));
            let s: Shape<char> = 'c'.into();
            println!("{} {} {}", s.is_circle(), s.is_square(), s.unwrap_circle());
            println!("{} {} {} {:>8}|", Plain::OneTwo, Plain::Three, Plain::Four("q"), Plain::OneTwo);
            let mut l = List::default(); l.push(3); l.push(4);
            println!("{} {} {:?} {:?} {}", l.len(), l[1], (&l).into_iter().collect::<Vec<_>>(), l.as_ref(), l.len()); println!("{}", l.into_iter().count());
            let e = "x".parse::<u8>().unwrap_err();
            println!("{} {:?} {:?} {:?}", Bad::Named { source: e.clone() }, Bad::Parse(e.clone()).source().map(|e| e.to_string()), Bad::Named { source: e }.source().is_some(), Bad::None.source().is_none());
            let _o: Only = 3u8.into();
        }
    "#;
    assert_eq!(prints(&["derive_more"], program), include_str!("printed/derive_more.stdout"));
}

#[test]
fn derives_of_strum() {
    let program = r#"
        use std::str::FromStr as _;
        use strum::{EnumCount, IntoDiscriminant, IntoEnumIterator, VariantArray, VariantNames};
        #[derive(Debug, strum::Display, strum::EnumString, strum::EnumIter, strum::AsRefStr, strum::IntoStaticStr, strum::EnumCount, strum::VariantNames, strum::EnumIs, strum::FromRepr, strum::EnumDiscriminants, PartialEq)]
        #[strum(serialize_all = "snake_case", prefix = "k/")]
        #[strum_discriminants(derive(Hash), name(KindName))]
        #[repr(u8)]
        enum Kind { FirstOne = 3, #[strum(serialize = "2", serialize = "second")] Second, #[strum(to_string = "third {0}", ascii_case_insensitive)] Third(u8), #[strum(disabled)] Hidden, #[strum(default)] Other(String) }
        #[derive(strum::VariantArray, strum::Display, Debug, strum::EnumString)]
        #[strum(ascii_case_insensitive)]
        enum Flat { HTTPGet, Post2 }
        #[derive(strum::EnumIter, strum::AsRefStr)]
        enum With<T: Default> { A(T), B { n: Option<T> } }
        fn main() {
            println!("{} {} {} {} {:?}", Kind::FirstOne, Kind::Second, Kind::Third(4), Kind::Other("zz".into()), Kind::from_str("THIRD {0}"));
            println!("{:?} {:?} {:?} {:?}", Kind::from_str("first_one"), Kind::from_str("second"), Kind::from_str("hm"), Kind::try_from("2"));
            println!("{:?} {:?} {}", Kind::iter().collect::<Vec<_>>(), Kind::iter().rev().nth(1), Kind::iter().len());
            println!("{} {} {:?} {}", Kind::COUNT, Kind::FirstOne.as_ref(), Kind::VARIANTS, <&'static str>::from(&Kind::Second));
            println!("{} {:?} {:?} {:?} {:?}", Kind::Second.is_second(), Kind::from_repr(4), Kind::from_repr(9), Kind::Hidden.discriminant(), KindName::from(Kind::Third(1)));
            println!("{:?} {} {:?} {}", Flat::VARIANTS, Flat::HTTPGet, Flat::from_str("httpget"), Flat::from_str("z").unwrap_err());
            for it in With::<u8>::iter() { println!("{} {}", it.as_ref(), match it { With::A(n) => n, With::B { n } => n.map_or(9, |it| it) }); }
        }
    "#;
    assert_eq!(prints(&["strum"], program), include_str!("printed/strum.stdout"));
}

#[test]
fn types_of_icu() {
    let program = r#"
        use std::borrow::Cow;
        use yoke::Yokeable;
        use zerovec::ule::{AsULE, ULE};

        #[zerovec::make_ule(KindULE)]
        #[zerovec::derive(Debug)]
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        enum Kind { A = 0, B = 2, C = 7 }

        #[zerovec::make_ule(PointULE)]
        #[zerovec::skip_derive(Ord)]
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        struct Point { x: u32, kind: Kind }

        #[zerovec::make_ule(OneULE)]
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
        struct One(u16);

        #[derive(zerovec::ule::ULE, Copy, Clone, PartialEq, Eq)]
        #[repr(C, packed)]
        struct Raw { first: u8, kind: KindULE }

        #[derive(Yokeable, Debug, Clone)]
        struct View<'a> { text: Cow<'a, str>, n: u8 }

        #[derive(Yokeable, Debug)]
        struct Whole<T: std::fmt::Debug> { value: T }

        fn main() {
            let all = [Point { x: 1, kind: Kind::A }, Point { x: 0x01020304, kind: Kind::C }];
            let unaligned: Vec<PointULE> = all.iter().map(|it| it.to_unaligned()).collect();
            let bytes = PointULE::slice_as_bytes(&unaligned);
            println!("{bytes:?} {}", size_of::<PointULE>());
            println!("{:?}", PointULE::parse_bytes_to_slice(bytes).unwrap().iter().map(|it| Point::from_unaligned(*it)).collect::<Vec<_>>() == all);
            for bytes in [&[0, 2, 7][..], &[1], &[]] {
                println!("{} {}", KindULE::validate_bytes(bytes).is_ok(), Raw::validate_bytes(bytes).is_ok());
            }
            println!("{} {}", PointULE::validate_bytes(&[0; 4]).is_err(), PointULE::validate_bytes(&[1; 5]).is_err());
            println!("{:?} {:?} {:?}", Kind::new_from_u8(2), Kind::new_from_u8(3), Kind::C.to_unaligned());
            println!("{:?} {}", Kind::A.to_unaligned().cmp(&Kind::B.to_unaligned()), One(3).to_unaligned() < One(0x100).to_unaligned());
            let text = String::from("text");
            let mut view = View { text: Cow::Borrowed("static"), n: 1 };
            println!("{}", view.transform().text);
            view.transform_mut(|it| it.text.to_mut().push('!'));
            let short: View<'_> = View { text: Cow::Borrowed(&text), n: 2 };
            println!("{view:?} {short:?} {:?}", view.clone().transform_owned().text);
            println!("{:?}", Whole { value: 5 }.transform_owned());
        }
    "#;
    assert_eq!(prints(&["zerovec", "yoke"], program), include_str!("printed/icu.stdout"));
}

#[test]
fn texts_and_defaults() {
    let program = r#"
        use smart_default::SmartDefault;
        #[derive(displaydoc::Display, Debug)]
        enum Doc { /// first
          First, /// second {0} and {0:?}
          Second(u8), /// third "{name}"
          /// more
          Third { name: &'static str } }
        /// whole {n}
        #[derive(displaydoc::Display)]
        struct Whole { n: u8 }
        #[derive(SmartDefault, Debug)]
        struct Conf { #[default = 5] a: u8, #[default("x")] b: String, #[default(vec![1, 2])] c: Vec<u8>, d: Option<u8>, e: Mode, #[default(Some(7))] f: Option<u32> }
        #[derive(SmartDefault, Debug)]
        enum Mode { #[allow(dead_code)] A, #[default] B(#[default = 7] u8, u8) }
        fn main() {
            println!("{} {} {} {}", Doc::First, Doc::Second(3), Doc::Third { name: "n" }, Whole { n: 2 });
            println!("{:?}", Conf::default());
        }
    "#;
    let printed = "first second 3 and 3 third \"n\" more whole 2\nConf { a: 5, b: \"x\", c: [1, 2], d: None, e: B(7, 0), f: Some(7) }\n";
    assert_eq!(prints(&["displaydoc", "smart-default"], program), printed);
}

#[test]
fn further_errors_of_thiserror() {
    let program = r##"
        use std::{error::Error as _, path::PathBuf, sync::Arc};
        fn show(n: &u8, s: &String, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "<{n} {s}>") }
        #[derive(Debug, thiserror::Error)]
        enum E {
            #[error("opt {0}")] Opt(u8, #[source] Option<std::io::Error>),
            #[error("arc")] Arc(#[from] Arc<std::num::ParseIntError>),
            #[error("box")] Boxed(#[source] Box<dyn std::error::Error + Send + Sync>),
            #[error("len {} {} {}", .0.len(), .0[0].to_uppercase(), max(.0.len(), 7))] Len(Vec<String>),
            #[error("path {path} {path:?}")] Path { path: PathBuf },
            #[error(fmt = show)] Fmt(u8, String),
            #[error("{x} {y}", x = .a.0, y = .b + 1)] Named { a: (u8, u8), b: u8 },
            #[error("{0}{1}")] Mixed(u8, u8),
            #[error("raw {type}")] Raw { r#type: u8 },
            #[error(r#"quoted "{0}""#)] Quoted(&'static str),
        }
        fn max(a: usize, b: usize) -> usize { a.max(b) }
        #[derive(Debug, thiserror::Error)]
        #[error("outer")]
        struct Outer { #[from] inner: E }
        #[derive(Debug, thiserror::Error)]
        #[error(transparent)]
        struct Trans(#[from] Arc<E>);
        fn main() {
            let io = || std::io::Error::new(std::io::ErrorKind::Other, "io");
            let p = || "x".parse::<u8>().unwrap_err();
            let p2 = || Arc::new("x".parse::<i32>().unwrap_err());
            for e in [E::Opt(1, Some(io())), E::Opt(2, None), E::Arc(p2()), E::Boxed(p().into()), E::Len(vec!["a".into()]), E::Path { path: "/a/b".into() }, E::Fmt(3, "s".into()), E::Named { a: (1, 2), b: 3 }, E::Mixed(1, 2), E::Raw { r#type: 4 }, E::Quoted("q")] {
                println!("{e} {:?}", e.source().map(|s| s.to_string()));
            }
            let o: Outer = E::Mixed(1, 2).into();
            println!("{o} {}", o.source().unwrap());
            let t: Trans = Arc::new(E::Opt(1, Some(io()))).into();
            println!("{t} {:?}", t.source().map(|s| s.to_string()));
        }
    "##;
    assert_eq!(prints(&["thiserror"], program), include_str!("printed/thiserror.stdout"));
}

#[test]
fn what_serde_reads() {
    let program = r#"
        use serde::{Deserialize, Deserializer, de::Data::{self, List, Map, Nothing, Number, Text}};
        #[derive(Deserialize, Debug)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Point<'a, T> { first_one: u32, #[serde(default, alias = "why")] y: Option<T>, #[serde(rename = "type")] r#kind: &'a str, #[serde(skip)] no: u8, #[serde(default = "seven")] z: u32, #[serde(deserialize_with = "twice")] w: u32 }
        fn seven() -> u32 { 7 }
        fn twice<'de, D: Deserializer<'de>>(d: D) -> Result<u32, D::Error> { u32::deserialize(d).map(|it| it * 2) }
        #[derive(Deserialize, Debug)]
        struct Pair(u32, u32);
        #[derive(Deserialize, Debug)]
        struct Width(u32);
        #[derive(Deserialize, Debug)]
        struct Unit;
        #[derive(Deserialize, Debug, Default)]
        #[serde(default)]
        struct Loose { a: u32, b: Option<u32> }
        #[derive(Deserialize, Debug)]
        struct Maybe { a: Alias, b: Option<u32> }
        type Alias = Option<u32>;
        #[derive(Deserialize, Debug)]
        #[serde(rename_all = "snake_case")]
        enum Kind { PlainOne, Value(Width), Both(u32, u32), #[serde(rename_all = "UPPERCASE")] Named { the_n: u32 }, #[serde(other)] Rest }
        #[derive(Deserialize, Debug)]
        #[serde(transparent)]
        struct Thin { of: u32 }
        #[derive(Deserialize, Debug)]
        #[serde(try_from = "u32")]
        struct Small(u32);
        impl TryFrom<u32> for Small { type Error = String; fn try_from(n: u32) -> Result<Self, String> { if n < 9 { Ok(Small(n)) } else { Err(format!("{n} is large")) } } }
        fn read<'a, T: Deserialize<'a> + std::fmt::Debug>(data: Data<'a>) { println!("{:?}", T::deserialize(data)); }
        fn main() {
            read::<Point<u32>>(Map(&[("firstOne", Number(1)), ("why", Number(2)), ("type", Text("t")), ("w", Number(4))]));
            read::<Point<u32>>(Map(&[("firstOne", Number(1)), ("type", Text("t")), ("w", Number(4)), ("z", Number(3))]));
            read::<Point<u32>>(Map(&[("type", Text("t")), ("w", Number(4))]));
            read::<Point<u32>>(Map(&[("type", Text("t")), ("no", Number(4))]));
            read::<Point<u32>>(Map(&[("w", Number(4)), ("w", Number(4))]));
            read::<Pair>(List(&[Number(1), Number(2)]));
            read::<Pair>(List(&[Number(1)]));
            read::<Width>(Number(3));
            read::<Unit>(Nothing);
            read::<Loose>(Map(&[("b", Number(3)), ("other", Number(3))]));
            read::<Maybe>(Map(&[]));
            read::<Kind>(Text("plain_one"));
            read::<Kind>(Map(&[("value", Number(3))]));
            read::<Kind>(Map(&[("both", List(&[Number(3), Number(4)]))]));
            read::<Kind>(Map(&[("named", Map(&[("THE_N", Number(5))]))]));
            read::<Kind>(Text("lunar"));
            read::<Thin>(Number(8));
            read::<Small>(Number(8));
            read::<Small>(Number(10));
            read::<Pair>(Text("x"));
        }
    "#;
    assert_eq!(prints(&["serde"], program), include_str!("printed/serde.stdout"));
}

/// Attributes of fields and types; what goes through functions of the user.
#[test]
fn what_serde_writes_with_attributes() {
    let program = r#"
        use serde::{Serialize, Serializer, Text};
        #[derive(Serialize)]
        #[serde(rename = "P", rename_all = "SCREAMING-KEBAB-CASE", tag = "kind")]
        struct Point { the_x: u32, #[serde(rename(serialize = "why"))] y: u32, #[serde(skip)] _no: u8, #[serde(skip_serializing_if = "is_zero")] z: u32, #[serde(serialize_with = "twice")] w: u32 }
        fn is_zero(n: &u32) -> bool { *n == 0 }
        fn twice<S: Serializer>(n: &u32, s: S) -> Result<S::Ok, S::Error> { (*n * 2).serialize(s) }
        #[derive(Serialize)]
        #[serde(rename_all = "kebab-case")]
        enum Kind { PlainOne, #[serde(rename = "two")] Pair(u32, u32), #[serde(skip)] _Hidden }
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Any { Number(u32), Nothing }
        #[derive(Serialize)]
        #[serde(transparent)]
        struct Thin { of: u32 }
        fn main() {
            println!("{:?}", Point { the_x: 1, y: 2, _no: 3, z: 0, w: 4 }.serialize(Text));
            println!("{:?} {:?}", Kind::PlainOne.serialize(Text), Kind::Pair(1, 2).serialize(Text));
            println!("{:?} {:?} {:?}", Any::Number(1).serialize(Text), Any::Nothing.serialize(Text), Thin { of: 3 }.serialize(Text));
        }
    "#;
    let printed = "Ok(\"P/4 kind=P THE-X=1 why=2 W=8\")\nOk(\"Kind#0.plain-one\") Ok(\"Kind#1.two/2 1 2\")\nOk(\"1\") Ok(\"()\") Ok(\"3\")\n";
    assert_eq!(prints(&["serde"], program), printed);
}

/// Options that exclude each other are never given together; values go through the user's functions; subcommands.
#[test]
fn command_lines_are_possible_ones() {
    let program = r#"
        use structopt::StructOpt;
        #[derive(StructOpt, Debug)]
        struct Options {
            #[structopt(long, conflicts_with = "loud")] quiet: bool,
            #[structopt(long)] loud: bool,
            #[structopt(long, default_value = "12")] count: u32,
            #[structopt(long, parse(try_from_str = even))] even: Option<u32>,
            #[structopt(long, possible_values = &["a", "b"])] letter: Option<String>,
            #[structopt(subcommand)] command: Command,
            #[structopt(flatten)] rest: Rest,
        }
        fn even(text: &str) -> Result<u32, String> { if text.len() % 2 == 0 { Ok(text.len() as u32) } else { Err("odd".into()) } }
        #[derive(StructOpt, Debug)]
        enum Command { Get { key: String }, Put(Put), List }
        #[derive(StructOpt, Debug)]
        struct Put { #[structopt(default_value = "5")] n: u32 }
        #[derive(StructOpt, Debug)]
        struct Rest { files: Vec<String> }
        static mut COUNTS: [u32; 3] = [0; 3];
        static mut IMPOSSIBLE: u32 = 0;
        fn main() {
            let options = Options::from_args();
            let (a, b) = (options.quiet && options.loud, options.letter.is_some() || options.even.is_some_and(|it| it % 2 == 1));
            let which = match options.command { Command::Get { .. } => 0, Command::Put(_) => 1, Command::List => 2 };
            if a || b {
                let thread = std::thread::spawn(|| unsafe { IMPOSSIBLE += 1 });
                unsafe { IMPOSSIBLE += 1 };
                thread.join().unwrap();
            }
            if options.count == 12 && options.rest.files.is_empty() {
                let thread = std::thread::spawn(move || unsafe { COUNTS[which] += 1 });
                unsafe { COUNTS[which] += 5 };
                thread.join().unwrap();
            }
        }
    "#;
    let folder = app(&["structopt"], program);
    let (stdout, stderr, status) = folder.output_in("app", &["check", "--untrusted", "--no-cache"]);
    assert!(stdout.contains("update `COUNTS`") && status == 1, "{stdout}{stderr}");
    assert!(!stdout.contains("`IMPOSSIBLE`") && !stderr.contains("is not expanded"), "{stdout}{stderr}");
}

/// structopt 0.2 has fewer methods, and arguments whose values are texts that hold code.
#[test]
fn command_lines_of_an_old_structopt() {
    let program = r#"
        use structopt::StructOpt;
        const DEFAULT: &str = "12";
        #[derive(StructOpt)]
        struct Options {
            #[structopt(short = "c", raw(default_value = "DEFAULT"))] count: u32,
            #[structopt(short = "d", raw(default_value = "DEFAULT)"))] damaged: u32,
            #[structopt(short = "l", raw(possible_values = "&[\"a\", \"b\"]"))] letter: Option<String>,
            #[structopt(short = "f", raw(hidden = "true"))] file: Option<String>,
        }
        static mut COUNT: u32 = 0;
        static mut IMPOSSIBLE: u32 = 0;
        fn main() {
            let Options { count, letter, file, .. } = Options::from_args();
            if letter.is_some() {
                let thread = std::thread::spawn(|| unsafe { IMPOSSIBLE += 1 });
                unsafe { IMPOSSIBLE += 1 };
                thread.join().unwrap();
            }
            if count == 12 && file.is_some() {
                let thread = std::thread::spawn(|| unsafe { COUNT += 1 });
                unsafe { COUNT += 1 };
                thread.join().unwrap();
            }
        }
    "#;
    let folder = app(&["structopt"], program);
    let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    for (package, new, old) in [("structopt", "0.3.20", "0.2.18"), ("structopt-derive", "0.4.10", "0.2.18")] {
        let manifest = read(&format!("{package}/Cargo.toml")).replace(new, old);
        folder.write(&format!("{package}/Cargo.toml"), manifest.as_bytes());
    }
    let library = read("structopt/src/lib.rs");
    let (library, _) = library.split_once("pub trait StructOptInternal").unwrap();
    let method = "    fn from_args_safe() -> Result<Self, clap::Error>\n    where\n        Self: Sized;\n";
    assert!(library.contains(method));
    folder.write("structopt/src/lib.rs", library.replace(method, "").as_bytes());
    let (stdout, stderr, status) = folder.output_in("app", &["check", "--untrusted", "--no-cache"]);
    assert!(stdout.contains("update `COUNT`") && status == 1, "{stdout}{stderr}");
    assert!(!stdout.contains("`IMPOSSIBLE`") && !stderr.contains("is not expanded"), "{stdout}{stderr}");
}
