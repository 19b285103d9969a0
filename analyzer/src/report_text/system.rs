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
    }
}
