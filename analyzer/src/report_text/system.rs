//! What threads wait for in the operating system.

use interp::finding::Awaited;

/// `bytes in a pipe`.
pub(crate) fn awaited(what: Awaited) -> &'static str {
    match what {
        Awaited::PipeBytes => "bytes in a pipe",
        Awaited::PipeRoom => "room in a pipe",
        Awaited::Counter => "the counter of an `eventfd`",
        Awaited::Timer => "a timer that is not set",
        Awaited::SocketBytes => "bytes from a socket",
        Awaited::SocketRoom => "room in a socket",
        Awaited::Message => "a message at a socket",
        Awaited::Connection => "somebody to connect",
        Awaited::Established => "its connection to be accepted",
        Awaited::Events => "an event of its descriptors",
        Awaited::Signal => "a signal",
    }
}

/// The name of a signal of x86_64 Linux.
pub(crate) fn signal(number: i32) -> String {
    const NAMES: [&str; 31] = [
        "SIGHUP",
        "SIGINT",
        "SIGQUIT",
        "SIGILL",
        "SIGTRAP",
        "SIGABRT",
        "SIGBUS",
        "SIGFPE",
        "SIGKILL",
        "SIGUSR1",
        "SIGSEGV",
        "SIGUSR2",
        "SIGPIPE",
        "SIGALRM",
        "SIGTERM",
        "SIGSTKFLT",
        "SIGCHLD",
        "SIGCONT",
        "SIGSTOP",
        "SIGTSTP",
        "SIGTTIN",
        "SIGTTOU",
        "SIGURG",
        "SIGXCPU",
        "SIGXFSZ",
        "SIGVTALRM",
        "SIGPROF",
        "SIGWINCH",
        "SIGIO",
        "SIGPWR",
        "SIGSYS",
    ];
    let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    match index.and_then(|index| NAMES.get(index)) {
        Some(name) => (*name).to_owned(),
        None => format!("signal {number}"),
    }
}
