//! Calls from two threads where a test uses a value that no harness can make.

use super::{CHECK, library, short};
use crate::support::Folder;
use expect_test::expect;

const DATABASE: &str = "
use std::sync::Mutex;

pub struct Database {
    writers: Mutex<u32>,
    savepoints: Mutex<Vec<u32>>,
}

impl Database {
    /// # Safety
    ///
    /// Nobody else may use the file.
    pub unsafe fn create(_file: &str) -> Database {
        Database { writers: Mutex::new(0), savepoints: Mutex::new(Vec::new()) }
    }
    pub fn save(&self) {
        let writers = self.writers.lock().unwrap();
        self.savepoints.lock().unwrap().push(*writers);
    }
    pub fn restore(&self) {
        let mut savepoints = self.savepoints.lock().unwrap();
        *self.writers.lock().unwrap() = savepoints.pop().unwrap_or(0);
    }
}
";

const TEST: &str = "
#[cfg(test)]
mod tests {
    use super::Database;

    #[test]
    fn saves() {
        let database = unsafe { Database::create(\"data\") };
        database.save();
        database.restore();
        assert_eq!(*database.writers.lock().unwrap(), 0);
    }
}
";

#[test]
fn a_value_that_only_a_test_makes() {
    short(
        &library(&format!("{DATABASE}{TEST}")),
        &expect![[r#"
            stdout:
            src/lib.rs:18:9: error[deadlock]: thread 1 waits for `Database.savepoints` while holding `Database.writers`; the caller waits for `Database.writers` while holding `Database.savepoints` (with src/lib.rs:22:10, src/lib.rs:21:30, src/lib.rs:17:23)
            stderr:
            shop: 1 bug. 4 entries (1 test, 3 API items), 28 schedules
                  reached 5 of 5 lock sites, 4 concurrently
                  calls from two threads: 3 of 3 pairs at once
                  not called: 1 item, such as `Database`: no value of `Database` can be made
            status: 1
        "#]],
    );
}

#[test]
fn a_value_that_only_an_example_makes() {
    let documented = DATABASE.replace(
        "\npub struct Database",
        "
/// ```
/// let database = unsafe { shop::Database::create(\"data\") };
/// database.save();
/// database.restore();
/// ```
pub struct Database",
    );
    let folder = library(&documented);
    let (stdout, stderr, status) = folder.output(&[&CHECK[..], &["."]].concat());
    assert!(status == 1 && stdout.contains("error[deadlock]"), "{stdout}{stderr}");
    let called = "called: `example_of_Database_1::main`, then `Database::";
    assert!(stdout.contains(called) && !stdout.contains("as a test"), "{stdout}");
}

const EXECUTOR: &str = r#"
use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

struct Unparks(Thread);

impl Wake for Unparks {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

pub fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unparks(thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
        thread::park();
    }
}
"#;

/// The calls are made while the test's future is suspended.
#[test]
fn a_value_that_only_a_future_makes() {
    let test = r#"
        #[test]
        fn saves() -> Result<(), String> {
            executor::block_on(async {
                let database = unsafe { shop::Database::create("data") };
                database.save();
                async { database.restore() }.await;
                Ok(())
            })
        }
    "#;
    let test = format!("mod executor {{ {EXECUTOR} }}\n{test}");
    let files = [("Cargo.toml", super::MANIFEST), ("src/lib.rs", DATABASE), ("tests/saves.rs", test.as_str())];
    short(
        &Folder::new(&files),
        &expect![[r#"
            stdout:
            src/lib.rs:18:9: error[deadlock]: the caller waits for `Database.savepoints` while holding `Database.writers`; thread 2 waits for `Database.writers` while holding `Database.savepoints` (with src/lib.rs:22:10, src/lib.rs:21:30, src/lib.rs:17:23)
            stderr:
            shop: 1 bug. 4 entries (1 test, 3 API items), 28 schedules
                  reached 4 of 4 lock sites, 4 concurrently; 1 of 1 await site, 0 concurrently
                  calls from two threads: 3 of 3 pairs at once
                  not called: 1 item, such as `Database`: no value of `Database` can be made
            status: 1
        "#]],
    );
}

/// A miniature of tokio: tasks are kept by the runtime of the thread, and calls outside of one panic.
const RUNTIME: &str = r#"
pub mod runtime {
    use std::{cell::RefCell, sync::mpsc::Sender};

    thread_local! {
        static CURRENT: RefCell<Option<Handle>> = const { RefCell::new(None) };
    }

    #[derive(Clone)]
    pub struct Handle(Sender<u32>);

    #[derive(Debug)]
    pub struct TryCurrentError;

    pub struct EnterGuard<'a>(Option<Handle>, std::marker::PhantomData<&'a Handle>);

    impl Drop for EnterGuard<'_> {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }

    impl Handle {
        pub fn new(tasks: Sender<u32>) -> Handle {
            Handle(tasks)
        }
        pub fn try_current() -> Result<Handle, TryCurrentError> {
            CURRENT.with_borrow(Clone::clone).ok_or(TryCurrentError)
        }
        pub fn enter(&self) -> EnterGuard<'_> {
            EnterGuard(CURRENT.replace(Some(self.clone())), std::marker::PhantomData)
        }
    }
}

pub fn spawn(task: u32) {
    let _ = &runtime::Handle::try_current().expect("there is no runtime");
    let _ = task;
}
"#;

/// Calls that start tasks find the runtime of the test.
#[test]
fn calls_in_the_runtime_of_a_test() {
    let library = DATABASE.replace("pub fn save(&self) {", "pub fn save(&self) {\n        tokio::spawn(1);");
    let library = library.replace("pub fn restore(&self) {", "pub fn restore(&self) {\n        tokio::spawn(2);");
    let test = r#"
        #[test]
        fn saves() {
            let (tasks, _all) = std::sync::mpsc::channel();
            let runtime = tokio::runtime::Handle::new(tasks);
            let _entered = runtime.enter();
            executor::block_on(async {
                let database = unsafe { shop::Database::create("data") };
                database.save();
                database.restore();
            })
        }
    "#;
    let test = format!("mod executor {{ {EXECUTOR} }}\n{test}");
    let manifest = format!("{}\n[dependencies]\ntokio.path = \"tokio\"\n[workspace]\n", super::MANIFEST);
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.rs", library.as_str()),
        ("tests/saves.rs", test.as_str()),
        ("tokio/Cargo.toml", "[package]\nname = \"tokio\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("tokio/src/lib.rs", RUNTIME),
    ];
    let folder = Folder::new(&files);
    folder.expect(&[&CHECK[..], &["--format", "short", "-p", "shop"]].concat(), &expect![[r#"
        stdout:
        src/lib.rs:19:9: error[deadlock]: the caller waits for `Database.savepoints` while holding `Database.writers`; thread 2 waits for `Database.writers` while holding `Database.savepoints` (with src/lib.rs:24:10, src/lib.rs:23:30, src/lib.rs:18:23)
        stderr:
        shop: 1 bug. 4 entries (1 test, 3 API items), 28 schedules
              reached 4 of 4 lock sites, 4 concurrently
              calls from two threads: 3 of 3 pairs at once
              not called: 1 item, such as `Database`: no value of `Database` can be made
        status: 1
    "#]]);
}

const NODE: &str = "
use std::sync::Mutex;

pub struct Node<T> {
    links: Mutex<Vec<u32>>,
    value: T,
}

impl<T> Node<T> {
    /// # Safety
    ///
    /// Nobody else may use the port.
    pub unsafe fn listen(_port: u16, value: T) -> Node<T> {
        Node { links: Mutex::new(Vec::new()), value }
    }
    pub fn value(&self) -> &T {
        &self.value
    }
    pub async fn link<U>(&self, other: &Node<U>) {
        let mut links = self.links.lock().unwrap();
        let mut others = other.links.lock().unwrap();
        links.push(2);
        others.push(1);
    }
}
";

/// Each of two threads calls a method of one value, with the other one as its argument.
#[test]
fn two_values_of_a_future() {
    let test = r#"
        #[test]
        fn links() {
            executor::block_on(async {
                let (one, other) = unsafe { (shop::Node::listen(1, 'a'), shop::Node::listen(2, 'b')) };
                one.link(&other).await;
            })
        }
    "#;
    let test = format!("mod executor {{ {EXECUTOR} }}\n{test}");
    let files = [("Cargo.toml", super::MANIFEST), ("src/lib.rs", NODE), ("tests/links.rs", test.as_str())];
    short(
        &Folder::new(&files),
        &expect![[r#"
            stdout:
            src/lib.rs:21:26: error[deadlock]: thread 2 waits for one `Node.links` while holding another `Node.links`; the caller waits for another `Node.links` while holding one `Node.links` (with src/lib.rs:20:25)
            stderr:
            shop: 1 bug. 4 entries (1 test, 3 API items), 28 schedules
                  reached 2 of 2 lock sites, 2 concurrently; 1 of 1 await site, 0 concurrently
                  calls from two threads: 1 of 2 pairs at once
                  not called: 1 item, such as `Node<u32>`: no value of `Node<u32>` can be made
            status: 1
        "#]],
    );
}
