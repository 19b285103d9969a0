//! SipHash, over the state that std's own hasher has in memory.

use super::super::{Call, Outcome};
use super::Range;
use crate::machine::Stop;

/// What changes of a hasher, in the order of the constants: `v0`, `v1`, `v2`, `v3`, `length`, `tail`, `ntail`.
const FIELDS: usize = 7;
const STATE: usize = FIELDS * 8;

struct Hasher {
    /// Its fields in memory: no other lies between them.
    range: Range,
    /// The first of them.
    first: usize,
    v: [u64; 4],
    length: u64,
    tail: u64,
    ntail: u64,
}

impl Hasher {
    /// The hasher that the first argument points to, if all of it is known.
    fn load(call: &mut Call<'_, '_>) -> Result<Option<Hasher>, Stop> {
        let Some(first) = (0..FIELDS).map(|i| call.number(i)).min() else { return Ok(None) };
        let addr = call.arg(0)?.wrapping_add(first);
        let Some(range) = call.known(addr, STATE as u64) else { return Ok(None) };
        let mut fields = [0; FIELDS];
        for (i, field) in fields.iter_mut().enumerate() {
            let at = (call.number(i) - first) as usize;
            if at + 8 > STATE {
                return Ok(None);
            }
            *field = call.machine.memory.get(range.index, range.offset + at, 8);
        }
        let [v0, v1, v2, v3, length, tail, ntail] = fields;
        let hasher = Hasher { range, first: first as usize, v: [v0, v1, v2, v3], length, tail, ntail };
        Ok((ntail < 8).then_some(hasher))
    }

    fn store(&self, call: &mut Call<'_, '_>) {
        let [v0, v1, v2, v3] = self.v;
        let mut bytes = [0; STATE];
        for (i, field) in [v0, v1, v2, v3, self.length, self.tail, self.ntail].into_iter().enumerate() {
            let at = call.number(i) as usize - self.first;
            bytes[at..at + 8].copy_from_slice(&field.to_le_bytes());
        }
        call.put(self.range, &bytes);
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
    let Some(mut hasher) = Hasher::load(call)? else { return Ok(Outcome::Real) };
    if call.machine.memory.writable(hasher.range.addr(), STATE).is_err() {
        return Ok(Outcome::Real);
    }
    hasher.write(call.bytes(text), call.number(FIELDS));
    call.reads(text);
    call.reads(hasher.range);
    hasher.store(call);
    call.answer(&[]);
    Ok(Outcome::Done)
}

pub(in super::super) fn finish(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let Some(mut hasher) = Hasher::load(call)? else { return Ok(Outcome::Real) };
    call.reads(hasher.range);
    hasher.word(hasher.length << 56 | hasher.tail, call.number(FIELDS));
    hasher.v[2] ^= 0xff;
    hasher.rounds(call.number(FIELDS + 1));
    let [v0, v1, v2, v3] = hasher.v;
    call.ret(v0 ^ v1 ^ v2 ^ v3);
    Ok(Outcome::Done)
}
