//! Reports of futures that wait forever, under an executor of the program's own.

use crate::support::Folder;

/// Two tasks of one thread, each of which has what the other one waits for.
const TASKS: &str = r#"
use std::cell::Cell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

struct Free<'a>(&'a Cell<bool>);

impl Future for Free<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0.replace(false) { Poll::Ready(()) } else { Poll::Pending }
    }
}

async fn take(lock: &Cell<bool>) {
    Free(lock).await;
}

async fn both(first: Rc<Cell<bool>>, second: Rc<Cell<bool>>) {
    take(&first).await;
    pause().await;
    take(&second).await;
    second.set(true);
    first.set(true);
}

async fn pause() {
    let mut is_first = true;
    std::future::poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

fn main() {
    let (one, two) = (Rc::new(Cell::new(true)), Rc::new(Cell::new(true)));
    let mut first = pin!(both(one.clone(), two.clone()));
    let mut second = pin!(async move {
        both(two, one).await;
    });
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    thread::spawn(|| ()).join().unwrap();
    let (mut is_first, mut is_second) = (false, false);
    while !is_first || !is_second {
        is_first |= !is_first && first.as_mut().poll(&mut context).is_ready();
        is_second |= !is_second && second.as_mut().poll(&mut context).is_ready();
        if !is_first || !is_second {
            thread::park();
        }
    }
}
"#;

#[test]
fn a_deadlock_names_the_tasks_that_wait() {
    let folder = Folder::new(&[("tasks.rs", TASKS)]);
    let (stdout, stderr, status) = folder.output(&["check", "tasks.rs"]);
    assert!(status == 1 && stdout.contains("`main` waits forever to be unparked"), "{stdout}{stderr}");
    let waits = "waits for `Free(lock)` at tasks.rs:29\n";
    for text in [format!("= task: `both` > `take` {waits}"), format!("`main` > `both` > `take` {waits}")] {
        assert!(stdout.contains(&text), "{text}: {stdout}");
    }
    // Tasks that have ended are not named.
    assert_eq!(stdout.matches("= task:").count(), 2, "{stdout}");
}

/// A lock of its own, as those of asynchronous libraries: two tasks take two of them in two orders.
#[test]
fn a_task_names_the_guards_that_it_holds() {
    const LOCK: &str = "
struct Lock(Cell<bool>);
struct LockGuard<'a>(&'a Lock);
impl Drop for LockGuard<'_> {
    fn drop(&mut self) { self.0.0.set(true); }
}
impl Lock {
    async fn lock(&self) -> Result<LockGuard<'_>, ()> {
        Free(&self.0).await;
        Ok(LockGuard(self))
    }
}
async fn both(first: Rc<Lock>, second: Rc<Lock>) {
    let other = Lock(Cell::new(true));
    let released = other.lock().await.unwrap();
    drop(released);
    let _one = first.lock().await.unwrap(); // THIS LINE
    pause().await;
    let _two = second.lock().await.unwrap();
}
";
    let both = TASKS.find("async fn take").zip(TASKS.find("async fn pause")).map(|(from, to)| &TASKS[from..to]);
    let source =
        TASKS.replace(both.unwrap(), LOCK).replace("Rc::new(Cell::new(true))", "Rc::new(Lock(Cell::new(true)))");
    let line = 1 + source.lines().position(|line| line.contains("THIS LINE")).unwrap();
    let folder = Folder::new(&[("tasks.rs", &source)]);
    let (stdout, stderr, status) = folder.output(&["check", "tasks.rs"]);
    let text = format!(", holding `first.lock()` of line {line}\n");
    assert!(
        status == 1 && stdout.contains("= task: `both` > `Lock::lock` waits for `Free(&self.0)` at"),
        "{stdout}{stderr}"
    );
    assert_eq!(stdout.matches(&text).count(), 2, "{stdout}");
    assert!(!stdout.contains("other.lock()"), "{stdout}");

    let alike = source.replace("async move {\n        both(two, one).await;\n    }", "both(two, one)");
    assert_ne!(alike, source);
    let folder = Folder::new(&[("tasks.rs", &alike)]);
    let (stdout, stderr, _) = folder.output(&["check", "tasks.rs"]);
    let text = format!(", holding `first.lock()` of line {line} (2 like this)\n");
    assert!(stdout.contains(&text) && stdout.matches("= task:").count() == 1, "{stdout}{stderr}");
}
