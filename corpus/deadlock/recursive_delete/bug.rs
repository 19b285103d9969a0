use std::collections::HashMap;
use std::sync::{Arc, RwLock};

#[derive(Default)]
struct Tree {
    children: RwLock<HashMap<String, Vec<String>>>,
}

impl Tree {
    fn add(&self, parent: &str, child: &str) {
        self.children.write().unwrap().entry(parent.into()).or_default().push(child.into());
    }

    fn delete(&self, name: &str) -> usize {
        let mut count = 1;
        if let Some(children) = self.children.write().unwrap().remove(name) { //~ deadlock
            for child in &children {
                count += self.delete(child);
            }
        }
        count
    }
}

// What was removed has left the map, but the guard in the condition stays for the body, which deletes further.
fn main() {
    let tree = Arc::new(Tree::default());
    tree.add("src", "main.rs");
    tree.add("", "src");
    tree.add("", "Cargo.toml");
    println!("{}", tree.delete("README.md"));
    println!("{}", tree.delete(""));
}
