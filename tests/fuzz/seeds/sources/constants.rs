const fn fibonacci(number: u64) -> u64 {
    if number < 2 { number } else { fibonacci(number - 1) + fibonacci(number - 2) }
}

static TABLE: [u64; fibonacci(6) as usize] = [fibonacci(9); fibonacci(6) as usize];

enum Tree {
    Leaf,
    Node(Box<(Tree, Tree)>),
}

fn depth(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf => 0,
        Tree::Node(both) => 1 + depth(&both.0).max(depth(&both.1)),
    }
}

fn main() {
    let tree = Tree::Node(Box::new((Tree::Leaf, Tree::Leaf)));
    std::process::exit(depth(&tree) as i32 + TABLE[0] as i32);
}
