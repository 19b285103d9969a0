//! Handlers of signals: which of them the program has set. None runs.

use super::{Answer, Call, NoResult};
use crate::files::errno::EINVAL;

/// Size of `struct sigaction`; the handler is its first word.
const SIGACTION: usize = 152;
const SIGKILL: i32 = 9;
const SIGSTOP: i32 = 19;
const SIGNALS: i32 = 64;

/// `signal(signal, handler)`
pub(in crate::models) fn signal(call: &mut Call<'_, '_>) -> Answer {
    let (signal, handler) = (call.int(0)?, call.arg(1)?);
    if !(1..=SIGNALS).contains(&signal) || matches!(signal, SIGKILL | SIGSTOP) {
        return Err(NoResult::Errno(EINVAL));
    }
    Ok(call.machine.world.handlers.insert(signal, handler).unwrap_or(0))
}

/// `sigaction(signal, &new, &old)`
pub(in crate::models) fn sigaction(call: &mut Call<'_, '_>) -> Answer {
    let (signal, new, old) = (call.int(0)?, call.arg(1)?, call.arg(2)?);
    if !(1..=SIGNALS).contains(&signal) || new != 0 && matches!(signal, SIGKILL | SIGSTOP) {
        return Err(NoResult::Errno(EINVAL));
    }
    let handler = call.machine.world.handlers.get(&signal).copied().unwrap_or(0);
    let set = if new == 0 { None } else { Some(call.machine.load_word(new, 8)?) };
    if old != 0 {
        call.store_bytes(old, &[0; SIGACTION])?;
        call.machine.store_word(old, 8, handler)?;
    }
    if let Some(set) = set {
        call.machine.world.handlers.insert(signal, set);
    }
    Ok(0)
}
