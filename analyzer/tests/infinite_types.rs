//! Types that contain themselves stand in code that is being typed. They have no layout; what uses them is uninterpreted, and
//! the rest is analysed.

use analyzer::{
    explore::{self, Options},
    project::{Edition, load_files},
};

const PROGRAM: &str = r#"
use std::sync::{Arc, Mutex};

struct Table {
    index: Mutex<u8>,
    rows: Table,
}

struct One(u8, Two);
struct Two((u8, One));

enum List {
    Cons(u8, List),
    Nil,
}

struct Grows<T>(T, Vec<u8>, Option<Grows<Option<T>>>);
struct Longer<T>(u8, Longer<Option<T>>);
struct Doubles<T>(u8, Doubles<(T, T)>);
struct Kept<T: ?Sized>(u8, Inner, T);
struct Inner(Box<u8>, Kept<u8>);

fn uses<T>(_: T) {}

fn main() {
    let table: Option<Arc<Table>> = None;
    uses(table.clone());
    let one: Option<Box<One>> = None;
    uses(one);
    uses::<Option<&List>>(None);
    uses::<Vec<List>>(Vec::new());
    uses::<Option<&Grows<u8>>>(None);
    uses::<Vec<Grows<u8>>>(Vec::new());
    uses::<Option<&Longer<u8>>>(None);
    uses::<Option<&Doubles<u8>>>(None);
    uses::<Vec<Doubles<u8>>>(Vec::new());
    uses::<Option<Box<Kept<str>>>>(None);
    uses::<Vec<Inner>>(Vec::new());
    let closure = move || table.map(|table| Arc::strong_count(&table));
    uses(closure);
    std::thread::spawn(|| {}).join().unwrap();
}
"#;

#[test]
fn types_without_an_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("main.rs");
    std::fs::write(&path, PROGRAM).expect("a file");
    let project = load_files(&[(path.clone(), Edition::Edition2024)]).expect("a program");
    let explored = project.with_db(|project| {
        let main = project.program_at(&path).expect("a `main`");
        explore::explore(project, &main, &Options { runs: Some(3), ..Options::default() })
    });
    assert_eq!(explored.diagnostics, Vec::new());
    let causes: Vec<_> = explored.uninterpreted.into_iter().flat_map(|it| it.causes).map(|cause| cause.text).collect();
    assert!(causes.iter().any(|cause| cause.contains("its size is infinite")), "{causes:?}");
    assert_eq!(explored.runs, 3, "the thread was started");
}
