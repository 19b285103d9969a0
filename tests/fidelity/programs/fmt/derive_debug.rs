use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[derive(Debug, Clone, Default)]
struct Config {
    name: String,
    limits: Limits,
    tags: Vec<&'static str>,
    env: BTreeMap<String, Option<i32>>,
    unit: (),
}

#[derive(Debug, Clone, Default)]
struct Limits {
    soft: u32,
    hard: Option<Box<u32>>,
}

#[derive(Debug)]
enum Tree<T> {
    Leaf,
    Node(Box<Tree<T>>, T, Box<Tree<T>>),
    Named { label: char, kids: Vec<Tree<T>> },
}

#[derive(Debug)]
struct Unit;
#[derive(Debug)]
struct New(f32);
#[derive(Debug)]
struct Empty {}
#[derive(Debug)]
struct Life<'a, const N: usize> {
    s: &'a [u8; N],
    r#type: &'a str,
}

fn main() {
    let mut c = Config { name: "n\"1\"".into(), tags: vec!["a", "b\n"], ..Config::default() };
    c.limits.hard = Some(Box::new(9));
    c.env.insert("K".into(), None);
    c.env.insert("A".into(), Some(-1));
    println!("{:?}", c);
    println!("{:#?}", c);
    println!("{:#?}", Config::default());
    let t = Tree::Node(Box::new(Tree::Leaf), (1, "x"), Box::new(Tree::Named { label: 'q', kids: vec![Tree::Leaf] }));
    println!("{:?}", t);
    println!("{:#?}", t);
    println!("{:?} {:?} {:?} {:#?}", Unit, New(1.0), Empty {}, Empty {});
    println!("{:?}", Life { s: b"xy", r#type: "t" });
    println!("{:?}", BTreeSet::from([3, 1, 2]));
    println!("{:#?}", VecDeque::from([Some(1), None]));
    println!("{:?} {:5?}|{:<5?}|", Some(New(0.5)), Some(1), Some(2));
    println!("{:#?}", BTreeMap::from([((1, 2), vec!["x"]), ((0, 0), vec![])]));
}
