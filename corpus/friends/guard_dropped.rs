use std::sync::Mutex;

struct Stack {
    items: Mutex<Vec<u32>>,
}

impl Stack {
    fn len(&self) -> usize {
        self.items.lock().unwrap().len()
    }

    fn push(&self, item: u32) -> usize {
        let mut items = self.items.lock().unwrap();
        items.push(item);
        drop(items);
        self.len()
    }

    fn pop(&self) -> (Option<u32>, usize) {
        let item = self.items.lock().unwrap().pop();
        (item, self.len())
    }

    #[allow(let_underscore_lock)]
    fn clear(&self) {
        { self.items.lock().unwrap() }.clear();
        let _ = self.items.lock();
        assert_eq!(self.len(), 0);
    }
}

// Every guard is gone before the lock is taken again.
fn main() {
    let stack = Stack { items: Mutex::default() };
    println!("{} {}", stack.push(1), stack.push(2));
    println!("{:?}", stack.pop());
    stack.clear();
}
