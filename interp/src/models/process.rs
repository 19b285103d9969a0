//! The process and its environment.

use super::{Call, Outcome};
use crate::host::KnownFn;
use crate::machine::Stop;
use crate::memory::Fault;
use crate::run::{MOST_RANDOM, Payload};
use crate::term::Origin;
use crate::thread::FrameKind;

/// Printed for an uninterpreted byte: one byte, so that known output keeps its columns, and text stays text.
const NOT_KNOWN: u8 = b'?';

/// The thread that ends the process first runs its thread-local destructors, as in the C library.
pub(super) fn exit(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let code = call.arg(0)? as i32;
    match call.machine.host.known_fn(KnownFn::RunThreadLocalDestructors) {
        Some(func) => {
            call.machine.note_end();
            call.machine.complete();
            call.machine.invoke(func, &[], FrameKind::Exit { code }).map(Outcome::Entered)
        }
        None => {
            call.machine.note_end();
            Err(Stop::Exited(code))
        }
    }
}

pub(super) fn exit_now(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.note_end();
    Err(Stop::Exited(call.arg(0)? as i32))
}

pub(super) fn abort(_: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    Err(Stop::Aborted)
}

/// Bytes of the program with unknown ones replaced by [`NOT_KNOWN`], and whether all are known.
pub(super) fn shown(call: &mut Call<'_, '_>, addr: u64, len: u64) -> Result<(Vec<u8>, bool), Stop> {
    let mut bytes = call.machine.load_bytes(addr, len)?;
    let mut known = true;
    if !bytes.is_empty() {
        // Uninitialised bytes that are printed are counted.
        let (index, offset) = call.machine.memory.readable(addr, bytes.len())?;
        call.machine.name_uninit((index, offset), bytes.len());
        for piece in call.machine.memory.alloc(index).uninterpreted.pieces(offset, bytes.len()) {
            if let Some(unknown) = bytes.get_mut(piece.start as usize..(piece.start + piece.len) as usize) {
                unknown.fill(NOT_KNOWN);
            }
            known = false;
        }
    }
    Ok((bytes, known))
}

/// Records the payload of a panic in `main`.
pub(super) fn main_panicked(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, len) = (call.arg(0)?, call.arg(1)?);
    let payload = if addr == 0 {
        Payload::Other
    } else {
        let (bytes, known) = shown(call, addr, len)?;
        Payload::Text { text: String::from_utf8_lossy(&bytes).into_owned(), known }
    };
    call.machine.payload = Some(payload);
    Ok(Outcome::Done)
}

/// Returns an input.
pub(super) fn input(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let size = call.code.ret.1;
    if size > 0 {
        call.machine.fresh_value(call.dst, size, Origin::Input);
    }
    Ok(Outcome::Done)
}

pub(super) fn nothing(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (index, offset) = call.machine.slot(call.dst);
    let size = call.code.ret.1 as usize;
    call.machine.memory.bytes_mut(index, offset, size).fill(0);
    call.machine.memory.clear_uninterpreted(index, offset, size);
    Ok(Outcome::Done)
}

pub(super) fn random(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (index, offset) = call.machine.slot(call.dst);
    let size = call.code.ret.1 as usize;
    call.machine.memory.clear_uninterpreted(index, offset, size);
    for at in (0..size).step_by(8) {
        let value = call.machine.rng.next_u64();
        if call.machine.random.len() < MOST_RANDOM {
            let thread = call.machine.thread_id();
            call.machine.random.push((thread, value));
        }
        call.machine.memory.put(index, offset + at, (size - at).min(8) as u32, value);
    }
    Ok(Outcome::Done)
}

/// `sysconf` of x86_64 Linux; unknown names have no limit.
pub(super) fn sysconf(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    const ANSWERS: &[(u64, u64)] = &[
        (0, 2_097_152),
        (2, 100),
        (4, 1024),
        (30, super::files::mapped::PAGE),
        (60, 1024),
        (70, 1024),
        (75, 16_384),
        (83, 4),
        (84, 4),
        (180, 64),
    ];
    let name = call.arg(0)?;
    call.ret(ANSWERS.iter().find(|(known, _)| *known == name).map_or(u64::MAX, |(_, answer)| *answer));
    Ok(Outcome::Done)
}

pub(super) fn constant(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.ret(call.consts.first().copied().unwrap_or(0));
    Ok(Outcome::Done)
}

pub(super) fn now(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let offset = |i: usize, default: u32| call.consts.get(i).map_or(default, |value| *value as u32);
    let (secs, nanos) = (offset(0, 0), offset(1, 8));
    if secs.saturating_add(8).max(nanos.saturating_add(4)) > call.code.ret.1 {
        return Err(Stop::Fault(Fault::BadCode));
    }
    nothing(call)?;
    call.machine.stop_watching();
    call.machine.spin()?;
    let now = call.machine.now;
    call.machine.write(call.dst + secs, 8, now / 1_000_000_000);
    call.machine.write(call.dst + nanos, 4, now % 1_000_000_000);
    Ok(Outcome::Done)
}

pub(super) fn now_secs(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.stop_watching();
    call.ret(call.machine.now / 1_000_000_000);
    Ok(Outcome::Done)
}

pub(super) fn now_nanos(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.stop_watching();
    call.ret(call.machine.now % 1_000_000_000);
    Ok(Outcome::Done)
}

pub(super) fn clock_gettime(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.stop_watching();
    call.machine.spin()?;
    call.machine.may_have_been_preempted();
    // A later read of a clock returns a later time, as real clocks of that resolution do; logical time does not pass.
    call.machine.looks += 1;
    let (time, now) = (call.arg(1)?, call.machine.now.saturating_add(call.machine.looks));
    call.machine.store_word(time, 8, now / 1_000_000_000)?;
    call.machine.store_word(time.wrapping_add(8), 8, now % 1_000_000_000)?;
    call.ret(0);
    Ok(Outcome::Done)
}

/// `getpwuid_r` and its like: no entry is found.
pub(super) fn no_such_entry(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let result = call.arg(4)?;
    call.machine.store_word(result, 8, 0)?;
    call.ret(0);
    Ok(Outcome::Done)
}
