//! The host's interfaces: there is the one to itself. A machine without a network has no other.

use super::{Answer, Call};
use crate::memory::{AllocKind, Memory};
use crate::os::address::{AF_INET, AF_INET6, Address};

/// Offsets in `struct ifaddrs`, and its size.
const NEXT: usize = 0;
const NAME: usize = 8;
const FLAGS: usize = 16;
const ADDRESS: usize = 24;
const MASK: usize = 32;
const SIZE: usize = 56;
/// Room for the address of an interface.
const ROOM: usize = 32;
const LOOPBACK: &[u8] = b"lo\0";
/// It is up, runs, and leads to the host itself.
const UP: u64 = 0x1_0049;

/// `getifaddrs(&list)`
pub(in crate::models) fn getifaddrs(call: &mut Call<'_, '_>) -> Answer {
    let place = call.arg(0)?;
    let addresses = [
        (Address::loopback(AF_INET), Address::V4([255, 0, 0, 0], 0)),
        (Address::loopback(AF_INET6), Address::V6([255; 16], 0)),
    ];
    let texts = SIZE * addresses.len();
    let name = texts + 2 * ROOM * addresses.len();
    let memory = &mut call.machine.memory;
    let index = memory.allocate((name + ROOM) as u64, AllocKind::Heap)?;
    memory.bytes_mut(index, name, LOOPBACK.len()).copy_from_slice(LOOPBACK);
    let last = addresses.len() - 1;
    for (number, (address, mask)) in addresses.into_iter().enumerate() {
        let (entry, text) = (SIZE * number, texts + 2 * ROOM * number);
        let next = if number < last { Memory::address(index, entry + SIZE) } else { 0 };
        memory.put(index, entry + NEXT, 8, next);
        memory.put(index, entry + NAME, 8, Memory::address(index, name));
        memory.put(index, entry + FLAGS, 4, UP);
        for (field, at, address) in [(ADDRESS, text, address), (MASK, text + ROOM, mask)] {
            let bytes = address.bytes();
            memory.bytes_mut(index, at, bytes.len()).copy_from_slice(&bytes);
            memory.put(index, entry + field, 8, Memory::address(index, at));
        }
    }
    call.machine.store_word(place, 8, Memory::address(index, 0))?;
    Ok(0)
}

/// `if_nametoindex(name)`: 0 if there is no such interface.
pub(in crate::models) fn if_nametoindex(call: &mut Call<'_, '_>) -> Answer {
    let name = call.text(0)?;
    Ok(u64::from(LOOPBACK.strip_suffix(b"\0") == Some(&name)))
}
