//! Options of sockets: what was set is what is asked back.

use super::sockets::{SO_LINGER, SO_RCVTIMEO, SO_SNDTIMEO};
use super::{Answer, Call, NoResult};
use crate::files::errno::{EADDRINUSE, EADDRNOTAVAIL, EDOM, EINVAL, ENOPROTOOPT};
use crate::os::address::AF_INET6;
use crate::os::socket::{IPPROTO_IPV6, SOL_SOCKET, Socket, Style};
use std::sync::Arc;

/// Options of all sockets.
const SO_TYPE: i32 = 3;
const SO_ERROR: i32 = 4;
const SO_SNDBUF: i32 = 7;
const SO_RCVBUF: i32 = 8;
const SO_PEERCRED: i32 = 17;
const SO_ACCEPTCONN: i32 = 30;
const SO_PROTOCOL: i32 = 38;
const SO_DOMAIN: i32 = 39;
/// Levels of IP and TCP, and options that are not 0 at first.
const IPPROTO_IP: i32 = 0;
const IPPROTO_TCP: i32 = 6;
const IPPROTO_UDP: i32 = 17;
const IP_TTL: i32 = 2;
const IP_ADD_MEMBERSHIP: i32 = 35;
const IP_DROP_MEMBERSHIP: i32 = 36;
const IP_MULTICAST_TTL: i32 = 33;
const IP_MULTICAST_LOOP: i32 = 34;
const IPV6_UNICAST_HOPS: i32 = 16;
const IPV6_MULTICAST_HOPS: i32 = 18;
const IPV6_MULTICAST_LOOP: i32 = 19;
const TCP_MAXSEG: i32 = 2;
const TCP_KEEPIDLE: i32 = 4;
const TCP_KEEPINTVL: i32 = 5;
const TCP_KEEPCNT: i32 = 6;
const TCP_QUICKACK: i32 = 12;
/// Limits of buffer sizes.
const LEAST_BUFFER: u32 = 2304;
const MOST_BUFFER: u32 = 212_992;
const MICROS_PER_SECOND: u64 = 1_000_000;
/// Maximum length of an option, and the last one that any level has.
const LONGEST: u64 = 256;
const LAST: i32 = 255;
/// The user and group of the program.
const OWNER: u32 = 1000;

impl Socket {
    /// The value of an option that was not set; `None` if there is no such option.
    fn default_option(&self, level: i32, name: i32) -> Option<Vec<u8>> {
        let is_stream = self.style == Style::Stream;
        let word = |value: u32| Some(value.to_le_bytes().to_vec());
        if !(0..=LAST).contains(&name) {
            return None;
        }
        match (level, name) {
            (SOL_SOCKET, SO_TYPE) => word(match self.style {
                Style::Stream => 1,
                Style::Datagram => 2,
                Style::SeqPacket => 5,
            }),
            (SOL_SOCKET, SO_DOMAIN) => word(u32::from(self.family)),
            (SOL_SOCKET, SO_PROTOCOL) => word(match (self.is_unix(), is_stream) {
                (true, _) => 0,
                (false, true) => IPPROTO_TCP as u32,
                (false, false) => IPPROTO_UDP as u32,
            }),
            (SOL_SOCKET, SO_ACCEPTCONN) => word(u32::from(self.backlog.is_some())),
            (SOL_SOCKET, SO_SNDBUF) if is_stream && !self.is_unix() => word(2_626_560),
            (SOL_SOCKET, SO_RCVBUF) if is_stream && !self.is_unix() => word(131_072),
            (SOL_SOCKET, SO_SNDBUF | SO_RCVBUF) => word(MOST_BUFFER),
            (SOL_SOCKET, SO_LINGER) => Some(vec![0; 8]),
            (SOL_SOCKET, SO_RCVTIMEO | SO_SNDTIMEO) => Some(vec![0; 16]),
            (SOL_SOCKET, SO_PEERCRED) => Some([1, OWNER, OWNER].map(u32::to_le_bytes).concat()),
            (SOL_SOCKET, _) => word(0),
            (IPPROTO_IP, IP_TTL) if !self.is_unix() => word(64),
            (IPPROTO_IP, IP_MULTICAST_TTL | IP_MULTICAST_LOOP) if !self.is_unix() => word(1),
            (IPPROTO_IP, _) if !self.is_unix() => word(0),
            (IPPROTO_IPV6, IPV6_UNICAST_HOPS) if self.family == AF_INET6 => word(64),
            (IPPROTO_IPV6, IPV6_MULTICAST_HOPS | IPV6_MULTICAST_LOOP) if self.family == AF_INET6 => word(1),
            (IPPROTO_IPV6, _) if self.family == AF_INET6 => word(0),
            (IPPROTO_TCP, _) if !is_stream || self.is_unix() => None,
            (IPPROTO_TCP, TCP_MAXSEG) => word(536),
            (IPPROTO_TCP, TCP_KEEPIDLE) => word(7200),
            (IPPROTO_TCP, TCP_KEEPINTVL) => word(75),
            (IPPROTO_TCP, TCP_KEEPCNT) => word(9),
            (IPPROTO_TCP, TCP_QUICKACK) => word(1),
            (IPPROTO_TCP, _) => word(0),
            _ => None,
        }
    }
}

/// `setsockopt(fd, level, name, &value, length)`
pub(in crate::models) fn setsockopt(call: &mut Call<'_, '_>) -> Answer {
    let (_, id) = call.socket(call.int(0)?)?;
    let (level, name, value, len) = (call.int(1)?, call.int(2)?, call.arg(3)?, call.arg(4)? as u32);
    let Some(default) = call.machine.os.sockets.get(id).default_option(level, name) else {
        return Err(NoResult::Errno(ENOPROTOOPT));
    };
    if u64::from(len) > LONGEST || level == SOL_SOCKET && (len as usize) < default.len() {
        return Err(NoResult::Errno(EINVAL));
    }
    let mut bytes = call.machine.load_bytes(value, u64::from(len))?;
    match (level, name, bytes.first_chunk::<4>()) {
        (SOL_SOCKET, SO_TYPE | SO_ERROR | SO_ACCEPTCONN | SO_DOMAIN | SO_PROTOCOL | SO_PEERCRED, _) => {
            return Err(NoResult::Errno(ENOPROTOOPT));
        }
        // The system doubles it, for its own use.
        (SOL_SOCKET, SO_SNDBUF | SO_RCVBUF, Some(size)) => {
            let size = u32::from_le_bytes(*size).min(MOST_BUFFER).saturating_mul(2).max(LEAST_BUFFER);
            bytes = size.to_le_bytes().to_vec();
        }
        (SOL_SOCKET, SO_RCVTIMEO | SO_SNDTIMEO, _) => {
            let micros = bytes.get(8..).and_then(|rest| rest.first_chunk()).map_or(0, |it| u64::from_le_bytes(*it));
            if micros >= MICROS_PER_SECOND {
                return Err(NoResult::Errno(EDOM));
            }
        }
        (IPPROTO_IP, IP_TTL, Some(ttl)) if !matches!(i32::from_le_bytes(*ttl), -1 | 1..=255) => {
            return Err(NoResult::Errno(EINVAL));
        }
        (IPPROTO_IP, IP_ADD_MEMBERSHIP, _) => {
            let groups = &mut call.machine.os.sockets.get_mut(id).groups;
            return if groups.insert(bytes) { Ok(0) } else { Err(NoResult::Errno(EADDRINUSE)) };
        }
        (IPPROTO_IP, IP_DROP_MEMBERSHIP, _) => {
            let groups = &mut call.machine.os.sockets.get_mut(id).groups;
            return if groups.remove(&bytes) { Ok(0) } else { Err(NoResult::Errno(EADDRNOTAVAIL)) };
        }
        // Switches are on or off.
        (SOL_SOCKET, _, Some(word)) if bytes.len() == 4 => {
            bytes = u32::from(*word != [0; 4]).to_le_bytes().to_vec();
        }
        _ => {}
    }
    bytes.resize(bytes.len().max(default.len()), 0);
    let options = &mut call.machine.os.sockets.get_mut(id).options;
    // They may be copied now.
    let size = options.values().map(|bytes| bytes.len() as u64 + 8).sum();
    Arc::make_mut(options).insert((level, name), bytes);
    call.machine.touched(size);
    Ok(0)
}

/// `getsockopt(fd, level, name, &value, &length)`
pub(in crate::models) fn getsockopt(call: &mut Call<'_, '_>) -> Answer {
    let (_, id) = call.socket(call.int(0)?)?;
    let (level, name, value, len_at) = (call.int(1)?, call.int(2)?, call.arg(3)?, call.arg(4)?);
    let socket = call.machine.os.sockets.get_mut(id);
    let bytes = match socket.options.get(&(level, name)) {
        _ if (level, name) == (SOL_SOCKET, SO_ERROR) => std::mem::take(&mut socket.error).to_le_bytes().to_vec(),
        Some(bytes) => bytes.clone(),
        None => socket.default_option(level, name).ok_or(ENOPROTOOPT)?,
    };
    let room = call.machine.load_word(len_at, 4)? as usize;
    let shown = bytes.get(..room.min(bytes.len())).unwrap_or_default();
    call.store_bytes(value, shown)?;
    call.machine.store_word(len_at, 4, shown.len() as u64)?;
    Ok(0)
}
