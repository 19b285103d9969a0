//! SipHash on the in-memory state of std's hasher.

use super::super::{Call, Outcome};
use super::Range;
use crate::machine::Stop;

/// Size of the four words of the state.
const STATE: u64 = 32;

/// Maximum number of rounds for a word in any SipHash.
const MAX_ROUNDS: u64 = 16;

/// The mutable parts of a hasher.
struct Hasher {
    /// The words in memory, in the order `v0`, `v2`, `v1`, `v3`.
    state: Range,
    /// The ranges of `length`, `tail` and `ntail`.
    rest: [Range; 3],
    v: [u64; 4],
    length: u64,
    tail: u64,
    /// Number of used bytes of `tail`.
    ntail: u64,
}

impl Hasher {
    /// The hasher that the first argument points to, if all of it is known.
    fn load(call: &Call<'_, '_>) -> Result<Option<Hasher>, Stop> {
        let addr = call.arg(0)?;
        let field = |index: usize, size: u64| call.known(addr.wrapping_add(call.number(index)), size);
        let (Some(state), Some(length), Some(tail), Some(ntail)) =
            (field(0, STATE), field(1, 8), field(2, 8), field(3, 8))
        else {
            return Ok(None);
        };
        let word = |range: Range, at: usize| call.machine.memory.get(range.index, range.offset + at, 8);
        let hasher = Hasher {
            v: [word(state, 0), word(state, 16), word(state, 8), word(state, 24)],
            length: word(length, 0),
            tail: word(tail, 0),
            ntail: word(ntail, 0),
            state,
            rest: [length, tail, ntail],
        };
        let is_sip = [4, 5].iter().all(|rounds| call.number(*rounds) <= MAX_ROUNDS);
        Ok((is_sip && hasher.ntail < 8).then_some(hasher))
    }

    fn store(&self, call: &mut Call<'_, '_>) {
        let [v0, v1, v2, v3] = self.v.map(u64::to_le_bytes);
        call.put(self.state, [v0, v2, v1, v3].as_flattened());
        for (range, value) in self.rest.into_iter().zip([self.length, self.tail, self.ntail]) {
            call.put(range, &value.to_le_bytes());
        }
    }

    fn is_writable(&self, call: &Call<'_, '_>) -> bool {
        call.machine.memory.writable(self.state.addr(), self.state.len).is_ok()
    }

    fn note_reads(&self, call: &mut Call<'_, '_>) {
        call.reads(self.state);
        self.rest.into_iter().for_each(|range| call.reads(range));
    }

    fn rounds(&mut self, count: u64) {
        let [v0, v1, v2, v3] = &mut self.v;
        for _ in 0..count {
            *v0 = v0.wrapping_add(*v1);
            *v2 = v2.wrapping_add(*v3);
            *v1 = v1.rotate_left(13) ^ *v0;
            *v3 = v3.rotate_left(16) ^ *v2;
            *v0 = v0.rotate_left(32);

            *v2 = v2.wrapping_add(*v1);
            *v0 = v0.wrapping_add(*v3);
            *v1 = v1.rotate_left(17) ^ *v2;
            *v3 = v3.rotate_left(21) ^ *v0;
            *v2 = v2.rotate_left(32);
        }
    }

    fn word(&mut self, word: u64, rounds: u64) {
        self.v[3] ^= word;
        self.rounds(rounds);
        self.v[0] ^= word;
    }

    fn write(&mut self, text: &[u8], rounds: u64) {
        self.length = self.length.wrapping_add(text.len() as u64);
        if self.ntail == 0 {
            self.tail = 0;
        }
        for &byte in text {
            self.tail |= u64::from(byte) << (8 * self.ntail);
            self.ntail += 1;
            if self.ntail == 8 {
                self.word(self.tail, rounds);
                (self.tail, self.ntail) = (0, 0);
            }
        }
    }
}

pub(in super::super) fn write(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, len) = call.slice(1)?;
    let Some(text) = call.known(addr, len) else { return Ok(Outcome::Real) };
    let hasher = Hasher::load(call)?.filter(|hasher| hasher.is_writable(call));
    let Some(mut hasher) = hasher else { return Ok(Outcome::Real) };
    hasher.write(call.bytes(text), call.number(4));
    call.reads(text);
    hasher.note_reads(call);
    hasher.store(call);
    Ok(Outcome::Done)
}

pub(in super::super) fn finish(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let Some(mut hasher) = Hasher::load(call)? else { return Ok(Outcome::Real) };
    hasher.note_reads(call);
    hasher.word(hasher.length << 56 | hasher.tail, call.number(4));
    hasher.v[2] ^= 0xff;
    hasher.rounds(call.number(5));
    let [v0, v1, v2, v3] = hasher.v;
    call.ret(v0 ^ v1 ^ v2 ^ v3);
    Ok(Outcome::Done)
}
