// `DebugStruct` and its kin, plain and alternate, nested, with errors and half-written.
use std::collections::{BTreeMap, BTreeSet, LinkedList, VecDeque};
use std::fmt::{self, Debug, Formatter, Write};
struct Tree(u8, Vec<Tree>);
impl Debug for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Tree");
        shown.field("value", &self.0);
        if self.1.is_empty() { return shown.finish_non_exhaustive(); }
        shown.field("children", &self.1).finish()
    }
}
struct Entries;
impl Debug for Entries {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        map.entry(&1, &"one").key(&"k").value(&[1u8, 2]);
        map.entries([('a', Some(1)), ('b', None)]).finish()
    }
}
struct Parts(bool);
impl Debug for Parts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0 { f.debug_tuple("Parts").field(&format_args!("raw {}", 1)).field(&Entries).finish() }
        else { f.debug_tuple("").field(&1).finish_non_exhaustive() }
    }
}
struct Lists;
impl Debug for Lists {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entry(&"x").entries(0..3).finish()?;
        f.write_char(' ')?;
        f.debug_set().entries(["a\nb", "c"]).finish_non_exhaustive()
    }
}
#[derive(Debug, Clone, Default)]
#[allow(dead_code)]
enum Kind { #[default] Unit, Tuple(i32, String), Named { a: Option<Box<Kind>>, r#type: [u8; 2] } }
#[derive(Debug)] struct Unit;
#[derive(Debug)] #[allow(dead_code)] struct Generic<'a, T: ?Sized>(&'a T);
struct Failing(usize);
impl Write for Failing {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() > self.0 { return Err(fmt::Error); }
        self.0 -= text.len();
        Ok(())
    }
}
fn main() {
    let tree = Tree(1, vec![Tree(2, vec![]), Tree(3, vec![Tree(4, vec![])])]);
    println!("{tree:?}\n{tree:#?}");
    println!("{Entries:?}\n{Entries:#?}");
    println!("{:?} {:?}\n{:#?}\n{:#?}", Parts(true), Parts(false), Parts(true), Parts(false));
    println!("{Lists:?}\n{Lists:#?}");
    let kinds = [Kind::Unit, Kind::Tuple(-1, "s\"".into()), Kind::Named { a: Some(Box::new(Kind::default())), r#type: [1, 2] }];
    println!("{kinds:?}\n{kinds:#?}\n{Unit:?} {:?}", Generic("text"));
    println!("{:?} {:?}", BTreeMap::from([(1, 'a'), (2, 'b')]), BTreeSet::from(["x", "y"]));
    println!("{:#?}", VecDeque::from([Some(1), None]));
    println!("{:?} {:?}", LinkedList::from([1, 2]), (Ok::<i32, ()>(1), Err::<(), _>("e")));
    println!("{:?}", write!(Failing(5), "{:?}", tree));
    println!("{:?}", write!(Failing(500), "{:#?}", tree));
    let closure = shim::from_fn(|f| write!(f, "<{:>4}>", f.width().unwrap_or(0)));
    println!("{closure} {closure:7}");
    println!("{:#?}", ((), ((),), [(); 2], [[0u8; 0]; 1], String::new()));
    println!("{:#06x?}", [Some(10), None]);
    let mut text = String::new();
    for n in 0..3 { write!(text, "{n:03};").unwrap(); writeln!(text).unwrap(); }
    println!("{text:?}");
    println!("{:?} {:?}", std::cell::RefCell::new(1), { let c = std::cell::RefCell::new(1); let _b = c.borrow_mut(); format!("{c:?}") });
    println!("{:?} {:#?}", std::sync::Mutex::new(1), std::sync::Arc::new(std::sync::RwLock::new("x")));
}
mod from {
    use super::*;
    pub struct FromFn<F>(pub F);
    impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> fmt::Display for FromFn<F> { fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result { (self.0)(f) } }
}
mod shim { pub fn from_fn<F: Fn(&mut std::fmt::Formatter<'_>) -> std::fmt::Result>(f: F) -> super::from::FromFn<F> { super::from::FromFn(f) } }
