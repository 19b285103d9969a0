// Path, OsStr and their kin without touching a file system.
use std::ffi::{CStr, CString, OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
fn main() {
    for p in ["", "/", "a", "/a/b.tar.gz", "a/./b/../c/", "//x//y", "..", ".hidden", "a/.", "dir.d/file", "x/..", "/..", "a.b.", "./a"] {
        let p = Path::new(p);
        println!("{p:?} {:?} {:?} {:?} {:?} {:?}", p.parent(), p.file_name(), p.file_stem(), p.extension(), p.is_absolute());
        println!("  {:?} {:?}", p.components().map(|c| match c { Component::RootDir => "<root>".into(), Component::CurDir => "<.>".into(), Component::ParentDir => "<..>".into(), c => format!("{:?}", c.as_os_str()) }).collect::<Vec<_>>(), p.iter().rev().collect::<Vec<_>>());
        println!("  {:?} {:?} {:?} {:?}", p.join("z"), p.join("/abs"), p.with_extension("rs"), p.with_file_name("n.txt"));
        println!("  {:?} {:?} {}", p.ancestors().collect::<Vec<_>>(), p.strip_prefix("/a").ok(), p.display());
    }
    let mut b = PathBuf::from("/usr"); b.push("lib"); b.push("x.so"); println!("{b:?} {}", b.set_extension("so.1")); println!("{b:?}"); b.set_file_name("y"); println!("{b:?} {} {b:?}", b.clone().pop());
    b.push("/root"); println!("{b:?} {:?}", b.as_mut_os_string().len());
    println!("{} {} {}", Path::new("a/b") == Path::new("a//b/"), Path::new("a/b") == Path::new("a/./b"), Path::new("a") < Path::new("a/b"));
    println!("{} {} {}", Path::new("/a/bc").starts_with("/a/b"), Path::new("/a/b/c").starts_with("/a/b"), Path::new("/a/b").ends_with("b"));
    println!("{:?} {:?}", ["a", "b", "../c"].iter().collect::<PathBuf>(), Path::new("é/ü").to_str());
    let bad = OsStr::from_bytes(b"ab\xffc"); println!("{bad:?} {:?} {} {:?}", bad.to_str(), bad.to_string_lossy(), Path::new(bad).display().to_string());
    let mut o = OsString::from("x"); o.push("y"); o.push(bad); println!("{o:?} {} {:?}", o.len(), o.clone().into_string().is_err()); println!("{:?} {:?}", o.into_vec(), OsString::from_vec(vec![65]).into_string());
    println!("{:?} {:?}", OsStr::new("AbC").to_ascii_lowercase(), OsStr::new("a").eq_ignore_ascii_case("A"));
    let c = CString::new("hello").unwrap(); println!("{c:?} {:?} {:?} {:?}", c.as_bytes_with_nul(), c.to_str(), CString::new("a\0b").map_err(|e| (e.nul_position(), e.to_string())));
    println!("{:?} {:?} {:?}", CStr::from_bytes_with_nul(b"x\0"), CStr::from_bytes_with_nul(b"x").map_err(|e| e.to_string()), CStr::from_bytes_until_nul(b"ab\0cd\0"));
    println!("{:?} {} {:?}", c"lit\xff", c"abc".count_bytes(), c"q".to_owned().into_string());
    let boxed: Box<Path> = Path::new("bx").into(); let rc: std::rc::Rc<Path> = boxed.clone().into(); println!("{boxed:?} {rc:?} {:?}", boxed.clone().into_path_buf());
    println!("{:?} {:?}", std::borrow::Cow::from(Path::new("c")), Path::new("/a").to_path_buf().into_os_string());
    println!("{:?}", Path::new("foo.tar.gz").file_prefix());
}
