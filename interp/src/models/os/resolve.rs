//! Names of hosts: `getaddrinfo`.

use super::{Answer, Call, NoResult};
use crate::machine::Stop;
use crate::memory::{AllocKind, Memory};
use crate::models::Outcome;
use crate::os::address::{AF_INET, AF_INET6, Address};
use core::net::{Ipv4Addr, Ipv6Addr};

/// Results of `getaddrinfo`.
const EAI_NONAME: i32 = -2;
const EAI_AGAIN: i32 = -3;
const EAI_FAMILY: i32 = -6;
const EAI_SERVICE: i32 = -8;
/// Flags of the hints.
const AI_PASSIVE: u32 = 1;
const AI_NUMERICHOST: u32 = 4;
/// Offsets in `struct addrinfo`, and its size.
const FLAGS: u64 = 0;
const FAMILY: u64 = 4;
const KIND: u64 = 8;
const PROTOCOL: u64 = 12;
const LENGTH: u64 = 16;
const ADDRESS: u64 = 24;
const NEXT: u64 = 40;
const SIZE: u64 = 48;
/// Kinds of sockets with their protocols.
const KINDS: [(u32, u32); 3] = [(1, 6), (2, 17), (3, 0)];
/// The stream of random numbers for names.
const NAMES: u64 = 1 << 61;

/// What is wanted of a host.
struct Hints {
    flags: u32,
    family: u16,
    kind: u32,
}

impl Call<'_, '_> {
    fn hints(&mut self) -> Result<Hints, NoResult> {
        match self.arg(2)? {
            0 => Ok(Hints { flags: 0, family: 0, kind: 0 }),
            at => Ok(Hints {
                flags: self.machine.load_word(at.wrapping_add(FLAGS), 4)? as u32,
                family: self.machine.load_word(at.wrapping_add(FAMILY), 4)? as u16,
                kind: self.machine.load_word(at.wrapping_add(KIND), 4)? as u32,
            }),
        }
    }

    /// The addresses of a host, or an error.
    fn addresses(&mut self, name: Option<&[u8]>, hints: &Hints) -> Result<Vec<Address>, i32> {
        let Some(name) = name else {
            let family = if hints.family == AF_INET6 { AF_INET6 } else { AF_INET };
            let is_passive = hints.flags & AI_PASSIVE != 0;
            return Ok(vec![if is_passive { Address::any(family) } else { Address::loopback(family) }]);
        };
        let text = String::from_utf8_lossy(name);
        if let Ok(ip) = text.parse::<Ipv4Addr>() {
            return Ok(vec![Address::V4(ip.octets(), 0)]);
        }
        if let Ok(ip) = text.parse::<Ipv6Addr>() {
            return Ok(vec![Address::V6(ip.octets(), 0)]);
        }
        if hints.flags & AI_NUMERICHOST != 0 {
            return Err(EAI_NONAME);
        }
        if text == "localhost" || text.ends_with(".localhost") {
            let family = if hints.family == AF_INET6 { AF_INET6 } else { AF_INET };
            return Ok(vec![Address::loopback(family)]);
        }
        if !self.machine.has_outside() {
            return Err(EAI_AGAIN);
        }
        // A name in the range for documentation: it stands for any host.
        self.machine.choose(|inputs, chooser| {
            inputs.answers += 1;
            let mut rng = chooser.of_name(NAMES, name);
            match rng.below(8) {
                0 => Err(EAI_NONAME),
                1 => Err(EAI_AGAIN),
                _ => Ok(vec![Address::V4([203, 0, 113, rng.below(254) as u8 + 1], 0)]),
            }
        })
    }
}

/// `getaddrinfo(name, service, &hints, &result)`
pub(in crate::models) fn getaddrinfo(call: &mut Call<'_, '_>) -> Answer {
    let fails = |code: i32| Ok(u64::from(code as u32));
    let name = match call.arg(0)? {
        0 => None,
        _ => Some(call.text(0)?),
    };
    let service = match call.arg(1)? {
        0 => None,
        _ => Some(call.text(1)?),
    };
    let hints = call.hints()?;
    if !matches!(hints.family, 0 | AF_INET | AF_INET6) {
        return fails(EAI_FAMILY);
    }
    let port = match service.as_deref() {
        None => 0,
        Some(b"http") => 80,
        Some(b"https") => 443,
        Some(text) => match String::from_utf8_lossy(text).parse::<u16>() {
            Ok(port) => port,
            Err(_) => return fails(EAI_SERVICE),
        },
    };
    if name.is_none() && service.is_none() {
        return fails(EAI_NONAME);
    }
    let addresses = match call.addresses(name.as_deref(), &hints) {
        Ok(addresses) => addresses,
        Err(code) => return fails(code),
    };
    let addresses: Vec<_> =
        addresses.into_iter().filter(|it| hints.family == 0 || it.family() == hints.family).collect();
    if addresses.is_empty() {
        return fails(EAI_NONAME);
    }
    let mut place = call.arg(3)?;
    for address in addresses {
        let bytes = address.with_port(port).bytes();
        for (kind, protocol) in KINDS.into_iter().filter(|(kind, _)| hints.kind == 0 || *kind == hints.kind) {
            let index = call.machine.memory.allocate(SIZE + bytes.len() as u64, AllocKind::Heap)?;
            let at = Memory::address(index, 0);
            call.store_bytes(at, &[0; SIZE as usize])?;
            let fields =
                [(FAMILY, address.family().into()), (KIND, kind), (PROTOCOL, protocol), (LENGTH, bytes.len() as u32)];
            for (offset, value) in fields {
                call.machine.store_word(at.wrapping_add(offset), 4, u64::from(value))?;
            }
            call.machine.store_word(at.wrapping_add(ADDRESS), 8, at.wrapping_add(SIZE))?;
            call.store_bytes(at.wrapping_add(SIZE), &bytes)?;
            call.machine.store_word(place, 8, at)?;
            place = at.wrapping_add(NEXT);
        }
    }
    Ok(0)
}

/// `freeaddrinfo(result)`
pub(in crate::models) fn freeaddrinfo(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let mut at = call.arg(0)?;
    while at != 0 {
        let next = call.machine.load_word(at.wrapping_add(NEXT), 8)?;
        let (index, offset) = call.machine.memory.readable(at, 1)?;
        if offset != 0 || call.machine.memory.alloc(index).kind != AllocKind::Heap {
            break;
        }
        call.machine.free(index);
        at = next;
    }
    Ok(Outcome::Done)
}

/// `gai_strerror(code)`: the texts of glibc.
pub(in crate::models) fn gai_strerror(call: &mut Call<'_, '_>) -> Answer {
    let text = match call.int(0)? {
        EAI_NONAME => "Name or service not known",
        EAI_AGAIN => "Temporary failure in name resolution",
        EAI_FAMILY => "ai_family not supported",
        EAI_SERVICE => "Servname not supported for ai_socktype",
        _ => "Unknown error",
    };
    Ok(call.machine.c_string(text.as_bytes())?)
}
