// The type of `Waiters::default()` is unknown: rust-analyzer wants `Node: Default` for the derive.
trait Link {
    type Target;
}
struct List<L, T> {
    items: Vec<T>,
    _marker: std::marker::PhantomData<L>,
}
impl<L: Link> Default for List<L, L::Target> {
    fn default() -> Self {
        List { items: Vec::new(), _marker: std::marker::PhantomData }
    }
}
struct Node(u8);
impl Link for Node {
    type Target = Node;
}
#[derive(Default)]
struct Waiters {
    list: List<Node, <Node as Link>::Target>,
}

fn main() {
    let mut waiters = Waiters::default();
    waiters.list.items.push(Node(7));
    println!("{}", waiters.list.items[0].0);
}
