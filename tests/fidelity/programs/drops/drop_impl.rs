struct Guard<'a> {
    log: &'a std::cell::RefCell<Vec<String>>,
    name: &'static str,
}
impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.log.borrow_mut().push(format!("end {}", self.name));
    }
}

struct Node {
    v: i32,
    next: Option<Box<Node>>,
}
impl Drop for Node {
    fn drop(&mut self) {
        println!("node {}", self.v);
    }
}

struct Gen<T: std::fmt::Debug>(T);
impl<T: std::fmt::Debug> Drop for Gen<T> {
    fn drop(&mut self) {
        println!("gen {:?}", self.0);
    }
}

struct MakesMore(i32);
impl Drop for MakesMore {
    fn drop(&mut self) {
        println!("start {}", self.0);
        if self.0 > 0 {
            let _inner = MakesMore(self.0 - 1);
            println!("made {}", self.0 - 1);
        }
        println!("done {}", self.0);
    }
}

struct List {
    head: Option<Box<Node>>,
}
impl Drop for List {
    fn drop(&mut self) {
        let mut cur = self.head.take();
        while let Some(mut n) = cur {
            println!("unlink {}", n.v);
            cur = n.next.take();
        }
    }
}

fn main() {
    let log = std::cell::RefCell::new(vec![]);
    {
        let _a = Guard { log: &log, name: "a" };
        let _b = Guard { log: &log, name: "b" };
        log.borrow_mut().push("body".to_string());
    }
    println!("{:?}", log.borrow());
    let chain = Node { v: 1, next: Some(Box::new(Node { v: 2, next: Some(Box::new(Node { v: 3, next: None })) })) };
    drop(chain);
    let _g = (Gen("text"), Gen(vec![1, 2]), Gen(Some(1.5)));
    drop(MakesMore(2));
    drop(List { head: Some(Box::new(Node { v: 7, next: Some(Box::new(Node { v: 8, next: None })) })) });
    println!("end");
}
