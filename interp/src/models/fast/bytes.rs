//! Searching and checking bytes.

use super::super::{Call, Outcome};
use crate::machine::Stop;

/// The real body describes invalid UTF-8.
pub(in super::super) fn utf8(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, len) = call.slice(0)?;
    let Some(text) = call.known(addr, len) else { return Ok(Outcome::Real) };
    if std::str::from_utf8(call.bytes(text)).is_err() {
        return Ok(Outcome::Real);
    }
    call.reads(text);
    call.answer(&[(call.number(0), call.number(1), call.number(2))]);
    Ok(Outcome::Done)
}

/// Bytes after the first match need not have been read.
pub(in super::super) fn memchr(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    search(call, |bytes, byte| {
        let found = bytes.iter().position(|it| *it == byte);
        (found, 0, found.map_or(bytes.len(), |at| at + 1))
    })
}

/// Like [`memchr`], from the end.
pub(in super::super) fn memrchr(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    search(call, |bytes, byte| {
        let found = bytes.iter().rposition(|it| *it == byte);
        let start = found.unwrap_or(0);
        (found, start, bytes.len() - start)
    })
}

/// `memchr(text, byte, length)` of C; the text may go on behind the match only.
pub(in super::super) fn c_memchr(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, byte, len) = (call.arg(0)?, call.arg(1)? as u8, call.arg(2)?);
    let Some(text) = call.known(addr, len) else { return super::super::process::input(call) };
    let found = call.bytes(text).iter().position(|it| *it == byte);
    call.reads(text.part(0, found.map_or(text.len, |at| at + 1)));
    call.ret(found.map_or(0, |at| addr.wrapping_add(at as u64)));
    Ok(Outcome::Done)
}

/// `look` returns the position of the byte, and start and length of the bytes read.
fn search(call: &mut Call<'_, '_>, look: impl Fn(&[u8], u8) -> (Option<usize>, usize, usize)) -> Result<Outcome, Stop> {
    let byte = call.arg(0)? as u8;
    let (addr, len) = call.slice(1)?;
    let Some(text) = call.known(addr, len) else { return Ok(Outcome::Real) };
    let (found, start, read) = look(call.bytes(text), byte);
    call.reads(text.part(start, read));
    let (tag, size, none, some, field) =
        (call.number(0), call.number(1), call.number(2), call.number(3), call.number(4));
    match found {
        Some(at) => call.answer(&[(tag, size, some), (field, 8, at as u64)]),
        None => call.answer(&[(tag, size, none)]),
    }
    Ok(Outcome::Done)
}
