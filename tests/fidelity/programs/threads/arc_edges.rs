use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread;

struct Node {
    name: &'static str,
    parent: Mutex<Weak<Node>>,
    children: Mutex<Vec<Arc<Node>>>,
}

impl Drop for Node {
    fn drop(&mut self) {
        println!("drop {}", self.name);
    }
}

fn node(name: &'static str) -> Arc<Node> {
    Arc::new(Node { name, parent: Mutex::new(Weak::new()), children: Mutex::new(vec![]) })
}

fn main() {
    let root = node("root");
    let leaf = node("leaf");
    *leaf.parent.lock().unwrap() = Arc::downgrade(&root);
    root.children.lock().unwrap().push(leaf.clone());
    println!("{} {} {} {}", Arc::strong_count(&root), Arc::weak_count(&root), Arc::strong_count(&leaf), Arc::weak_count(&leaf));
    println!("{:?}", leaf.parent.lock().unwrap().upgrade().map(|parent| parent.name));
    drop(root);
    println!("{:?}", leaf.parent.lock().unwrap().upgrade().map(|parent| parent.name));
    drop(leaf);

    // The last owner drops, whichever thread that is; once.
    static DROPS: AtomicU32 = AtomicU32::new(0);
    struct Counted(Vec<u32>);
    impl Drop for Counted {
        fn drop(&mut self) {
            DROPS.fetch_add(self.0.len() as u32, Ordering::Relaxed);
        }
    }
    let shared = Arc::new(Counted(vec![1, 2, 3]));
    let weak = Arc::downgrade(&shared);
    let threads: Vec<_> = (0..4).map(|_| shared.clone()).map(|shared| thread::spawn(move || shared.0.iter().sum::<u32>())).collect();
    drop(shared);
    println!("{}", threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u32>());
    println!("{} {:?}", DROPS.load(Ordering::Relaxed), weak.upgrade().is_none());

    // Alone or not.
    let mut value = Arc::new(5);
    *Arc::get_mut(&mut value).unwrap() += 1;
    let other = value.clone();
    println!("{:?}", Arc::get_mut(&mut value));
    println!("{}", Arc::ptr_eq(&value, &other));
    *Arc::make_mut(&mut value) += 1;
    println!("{value} {other}");
    println!("{:?} {:?}", Arc::try_unwrap(value), Arc::into_inner(other));
    let mut watched = Arc::new(String::from("w"));
    let watcher = Arc::downgrade(&watched);
    Arc::make_mut(&mut watched).push('!');
    println!("{watched} {:?}", watcher.upgrade());

    let both = Arc::new(Mutex::new(0));
    let one = both.clone();
    let worker = thread::spawn(move || {
        *one.lock().unwrap() += 1;
        Arc::into_inner(one).is_some() as u32
    });
    *both.lock().unwrap() += 1;
    let mine = Arc::into_inner(both).is_some() as u32;
    println!("{}", mine + worker.join().unwrap());

    let cyclic = Arc::new_cyclic(|me: &Weak<(u8, Weak<()>)>| {
        println!("{}", me.upgrade().is_none());
        (3, Weak::new())
    });
    println!("{}", cyclic.0);
    let dynamic: Arc<dyn Fn() -> u32 + Send + Sync> = Arc::new(|| 9);
    let text: Arc<str> = Arc::from("text");
    let slice: Arc<[u16]> = vec![1, 2].into();
    println!("{} {text} {slice:?} {}", thread::spawn(move || dynamic()).join().unwrap(), Arc::strong_count(&text));
    let raw = Arc::into_raw(Arc::new(1.5));
    unsafe { Arc::increment_strong_count(raw) };
    let (a, b) = unsafe { (Arc::from_raw(raw), Arc::from_raw(raw)) };
    println!("{} {}", *a + *b, Arc::strong_count(&a));
}
