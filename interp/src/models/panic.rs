//! Raising a panic, and taking its payload.

use super::{Call, Outcome};
use crate::machine::Stop;
use crate::memory::{AllocKind, Memory};
use crate::trace::TraceEvent;

/// How std's hook introduces the message of a panic, and what it says behind it.
const BEFORE: &str = " panicked at ";
const BEHIND: &str = "\nnote: ";

/// The message of a panic in the output of std's hook.
pub(crate) fn message(said: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(said).ok()?;
    let (_, message) = text.split_once(BEFORE)?.1.split_once('\n')?;
    let message = message.split(BEHIND).next().unwrap_or(message).trim();
    (!message.is_empty()).then(|| message.to_owned())
}

/// The exception object is 16 bytes: the payload's fat pointer.
pub(super) fn rust_panic(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (slot, size) = call.place(0)?;
    let index = call.machine.memory.allocate(16, AllocKind::Heap)?;
    let from = call.machine.slot(slot);
    let payload = call.machine.read(slot, 8);
    call.machine.memory.copy(from, (index, 0), size.min(16) as usize);
    call.machine.complete();
    call.machine.trace_event(TraceEvent::Panics);
    call.machine.raised(payload);
    let flow = call.machine.unwind(Memory::address(index, 0))?;
    Ok(Outcome::Entered(flow))
}

pub(super) fn panic_cleanup(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let exception = call.arg(0)?;
    let from = call.machine.memory.readable(exception, 16)?;
    let to = call.machine.slot(call.dst);
    call.machine.memory.copy(from, to, call.code.ret.1.min(16) as usize);
    let index = call.heap(exception)?;
    call.machine.free(index);
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn messages_of_panics() {
        let said = "\nthread 'main' (1) panicked at src/main.rs:2:5:\nassertion `left == right` failed\n  left: 1\n right: 2\n\
                    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        assert_eq!(message(said.as_bytes()).as_deref(), Some("assertion `left == right` failed\n  left: 1\n right: 2"));
        // A hook of the program.
        assert_eq!(message(b"it is over\n"), None);
        assert_eq!(message(b"\xff panicked at a:\nb"), None);
    }
}
