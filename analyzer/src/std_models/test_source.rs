//! How the source of a test says what helpers of harnesses do.

/// Items that every module can name without a path.
pub const PRELUDE: [&str; 12] = [
    "std::boxed::Box",
    "std::clone::Clone",
    "std::convert::From",
    "std::default::Default",
    "std::iter::Iterator",
    "std::option::Option",
    "std::option::Option::None",
    "std::option::Option::Some",
    "std::result::Result",
    "std::string::String",
    "std::string::ToString",
    "std::vec::Vec",
];

/// A helper that makes a value from a label, with `{}` for the number or the text that was made up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MadeFrom {
    /// A number.
    Number(&'static str),
    /// A text.
    Text(&'static str),
}

const MADE: &[(&str, MadeFrom)] = &[
    ("text", MadeFrom::Text("{}")),
    ("string", MadeFrom::Text("String::from({})")),
    ("path", MadeFrom::Text("std::path::Path::new({})")),
    ("path_buf", MadeFrom::Text("std::path::PathBuf::from({})")),
    ("os_str", MadeFrom::Text("std::ffi::OsStr::new({})")),
    ("os_string", MadeFrom::Text("std::ffi::OsString::from({})")),
    ("duration", MadeFrom::Number("std::time::Duration::from_millis({})")),
];

/// How a helper makes a value from a label.
pub fn made_from(helper: &str) -> Option<MadeFrom> {
    MADE.iter().find(|(name, _)| *name == helper).map(|(_, made)| *made)
}

/// Helpers that only call functions of std, with `{}` for each argument.
const CALLS: &[(&str, &str)] = &[
    ("list", "vec![{}, {}]"),
    ("iterator", "vec![{}, {}].into_iter()"),
    ("ready", "std::future::ready({})"),
    ("share", "std::sync::Arc::new({})"),
    ("again", "std::sync::Arc::clone({})"),
    ("pinned", "unsafe { std::pin::Pin::new_unchecked({}) }"),
    ("context", "&mut std::task::Context::from_waker(std::task::Waker::noop())"),
    ("made", "{}.ok().unwrap()"),
    ("given", "{}.unwrap()"),
    ("block_on", "block_on({})"),
    (
        "receiver",
        "{ let (sender, receiver) = std::sync::mpsc::channel(); sender.send({}).unwrap(); sender.send({}).unwrap(); receiver }",
    ),
];

/// The expression for a call of such a helper.
pub fn call(helper: &str) -> Option<&'static str> {
    CALLS.iter().find(|(name, _)| *name == helper).map(|(_, text)| *text)
}

/// An address of this host with a port.
pub const ADDRESS: &str = "std::net::SocketAddr::from(([127, 0, 0, 1], {}))";
/// A sender and its receiver.
pub const CHANNEL: &str = "std::sync::mpsc::channel()";
/// Two threads that may borrow.
pub const SCOPE: &str = "std::thread::scope(|scope| {";
/// A use of a value that is not optimised away.
pub const READ: &str = "std::hint::black_box({}.to_owned());";

/// When the threads start.
pub const START: &str = "let start = std::time::Instant::now();";

/// Waits until so many calls may be over.
pub const WAIT_UNTIL: &str = r"
/// Waits so that calls follow each other as in the run that was found.
fn wait_until(start: std::time::Instant, calls: u32) {
    let until = start + calls * std::time::Duration::from_millis(100);
    std::thread::sleep(until.saturating_duration_since(std::time::Instant::now()));
}
";

/// Polls a future to its end.
pub const BLOCK_ON: &str = r"
struct Unparks(std::thread::Thread);

impl std::task::Wake for Unparks {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.unpark();
    }
}

fn waker() -> std::task::Waker {
    std::task::Waker::from(std::sync::Arc::new(Unparks(std::thread::current())))
}

fn block_on<F: std::future::Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let waker = waker();
    loop {
        match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
            std::task::Poll::Ready(value) => return value,
            std::task::Poll::Pending => std::thread::park(),
        }
    }
}
";

/// Polls a future by one waker, and then to its end by another one. Needs [`BLOCK_ON`].
pub const REPLACE_WAKER: &str = r"
fn replace_waker<F: std::future::Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => block_on(future),
    }
}
";

/// Polls a future once and drops it, at once or after it was woken. Needs [`BLOCK_ON`].
pub const POLL_ONCE: &str = r"
fn poll_once<F: std::future::Future>(future: F, waits: bool) -> Option<F::Output> {
    let mut future = std::pin::pin!(future);
    let waker = waker();
    match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
        std::task::Poll::Ready(value) => Some(value),
        std::task::Poll::Pending => {
            if waits {
                std::thread::park_timeout(std::time::Duration::from_secs(1));
            }
            None
        }
    }
}
";

/// The counter that the values of [`VALUE`] update.
pub const KEPT: &str = r"
thread_local! {
    /// A counter that only its own thread may use.
    static KEPT: &'static std::cell::Cell<u32> = Box::leak(Box::new(std::cell::Cell::new(0)));
}

fn touch_kept() {
    KEPT.with(|kept| kept.set(kept.get() + 1));
}
";

/// A value that must not be shared or moved: for `{name}`, with the field's type `{field}` and how it is `{made}`.
pub const VALUE: &str = r"
struct {name}({field});

impl {name} {
    fn touch(&self) {
        self.0.set(self.0.get() + 1);
    }
}

impl Default for {name} {
    fn default() -> Self {
        {name}({made})
    }
}

impl Clone for {name} {
    fn clone(&self) -> Self {
        {read}
        Self::default()
    }
}

impl Drop for {name} {
    fn drop(&mut self) {
        self.touch();
    }
}
";

/// Traits that such a value may have to implement: the name, and the code for [`VALUE`]'s `{name}`.
pub const TRAITS: [(&str, &str); 7] = [
    (
        "PartialEq",
        r"
impl PartialEq for {name} {
    fn eq(&self, _: &Self) -> bool {
        {read}
        true
    }
}
",
    ),
    (
        "Eq",
        r"
impl Eq for {name} {}
",
    ),
    (
        "PartialOrd",
        r"
impl PartialOrd for {name} {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
",
    ),
    (
        "Ord",
        r"
impl Ord for {name} {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        {read}
        std::cmp::Ordering::Equal
    }
}
",
    ),
    (
        "Hash",
        r"
impl std::hash::Hash for {name} {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {
        {read}
    }
}
",
    ),
    (
        "Debug",
        r"
impl std::fmt::Debug for {name} {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        {read}
        f.write_str(stringify!({name}))
    }
}
",
    ),
    (
        "Display",
        r"
impl std::fmt::Display for {name} {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        {read}
        f.write_str(stringify!({name}))
    }
}
",
    ),
];

/// The counter of this thread, as the field of such a value.
pub const KEPT_FIELD: [&str; 2] = ["&'static std::cell::Cell<u32>", "KEPT.with(|kept| *kept)"];
/// A counter of its own.
pub const OWN_FIELD: [&str; 2] = ["std::cell::Cell<u32>", "std::cell::Cell::new(0)"];
