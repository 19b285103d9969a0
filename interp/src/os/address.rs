//! Addresses of sockets, and their form in memory (`struct sockaddr` of x86_64 Linux).

/// Address families.
pub(crate) const AF_UNIX: u16 = 1;
pub(crate) const AF_INET: u16 = 2;
pub(crate) const AF_INET6: u16 = 10;

/// Size of `sockaddr_un`, and offset of the path.
const UNIX_SIZE: usize = 110;
const PATH: usize = 2;
/// Sizes of `sockaddr_in` and `sockaddr_in6`.
const V4_SIZE: usize = 16;
const V6_SIZE: usize = 28;

/// The address of a socket.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Address {
    V4([u8; 4], u16),
    V6([u8; 16], u16),
    /// A path as the program wrote it; empty if unnamed; an abstract name starts with a NUL.
    Unix(Vec<u8>),
}

impl Address {
    /// Reads an address; `None` if it is none.
    pub(crate) fn read(bytes: &[u8]) -> Option<Address> {
        let family = u16::from_le_bytes(*bytes.first_chunk()?);
        let port = || Some(u16::from_be_bytes(*bytes.get(2..)?.first_chunk()?));
        match family {
            AF_INET if bytes.len() >= V4_SIZE => Some(Address::V4(*bytes.get(4..)?.first_chunk()?, port()?)),
            AF_INET6 if bytes.len() >= V6_SIZE - 4 => Some(Address::V6(*bytes.get(8..)?.first_chunk()?, port()?)),
            AF_UNIX if bytes.len() <= UNIX_SIZE => {
                let path = bytes.get(PATH..)?;
                let len = match path.first() {
                    // An abstract name ends where the address does.
                    Some(0) => path.len(),
                    _ => path.iter().position(|byte| *byte == 0).unwrap_or(path.len()),
                };
                Some(Address::Unix(path[..len].to_vec()))
            }
            _ => None,
        }
    }

    /// Its form in memory.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Address::V4(ip, port) => {
                bytes.extend(AF_INET.to_le_bytes());
                bytes.extend(port.to_be_bytes());
                bytes.extend(ip);
                bytes.resize(V4_SIZE, 0);
            }
            Address::V6(ip, port) => {
                bytes.extend(AF_INET6.to_le_bytes());
                bytes.extend(port.to_be_bytes());
                bytes.extend([0; 4]);
                bytes.extend(ip);
                bytes.resize(V6_SIZE, 0);
            }
            Address::Unix(path) => {
                bytes.extend(AF_UNIX.to_le_bytes());
                bytes.extend(path);
                if path.first().is_some_and(|byte| *byte != 0) {
                    bytes.push(0);
                }
            }
        }
        bytes
    }

    pub(crate) fn family(&self) -> u16 {
        match self {
            Address::V4(..) => AF_INET,
            Address::V6(..) => AF_INET6,
            Address::Unix(_) => AF_UNIX,
        }
    }

    /// The port; 0 if it has none.
    pub(crate) fn port(&self) -> u16 {
        match self {
            Address::V4(_, port) | Address::V6(_, port) => *port,
            Address::Unix(_) => 0,
        }
    }

    pub(crate) fn with_port(&self, port: u16) -> Address {
        match self {
            Address::V4(ip, _) => Address::V4(*ip, port),
            Address::V6(ip, _) => Address::V6(*ip, port),
            Address::Unix(path) => Address::Unix(path.clone()),
        }
    }

    /// The address that stands for all of its family.
    pub(crate) fn any(family: u16) -> Address {
        match family {
            AF_INET => Address::V4([0; 4], 0),
            AF_INET6 => Address::V6([0; 16], 0),
            _ => Address::Unix(Vec::new()),
        }
    }

    /// The loopback address of its family.
    pub(crate) fn loopback(family: u16) -> Address {
        match family {
            AF_INET6 => Address::V6(LOOPBACK6, 0),
            _ => Address::V4([127, 0, 0, 1], 0),
        }
    }

    /// Whether it stands for all addresses.
    pub(crate) fn is_any(&self) -> bool {
        match self {
            Address::V4(ip, _) => *ip == [0; 4],
            Address::V6(ip, _) => *ip == [0; 16],
            Address::Unix(_) => false,
        }
    }

    /// Whether the host answers at it, whatever its network is.
    pub(crate) fn is_loopback(&self) -> bool {
        match self.unmapped() {
            Address::V4(ip, _) => ip[0] == 127,
            Address::V6(ip, _) => ip == LOOPBACK6,
            Address::Unix(_) => true,
        }
    }

    /// An IPv4 address in place of its form as an IPv6 address.
    pub(crate) fn unmapped(&self) -> Address {
        match self {
            Address::V6(ip, port) => match ip.strip_prefix(&MAPPED).and_then(|rest| rest.first_chunk()) {
                Some(ip) => Address::V4(*ip, *port),
                None => self.clone(),
            },
            _ => self.clone(),
        }
    }

    /// As a socket of this family shows it.
    pub(crate) fn shown_to(&self, family: u16) -> Address {
        match self {
            Address::V4(ip, port) if family == AF_INET6 => {
                let mut mapped = [0; 16];
                mapped[..12].copy_from_slice(&MAPPED);
                mapped[12..].copy_from_slice(ip);
                Address::V6(mapped, *port)
            }
            _ => self.clone(),
        }
    }

    /// Where something sent to it goes: to all addresses means to this host.
    pub(crate) fn target(&self) -> Address {
        if self.is_any() { Address::loopback(self.family()).with_port(self.port()) } else { self.unmapped() }
    }

    /// Whether a socket with this address gets what is sent to `target`. An IPv6 socket may be for both families.
    pub(crate) fn receives(&self, target: &Address, is_for_v6_only: bool) -> bool {
        let own = self.unmapped();
        if own.port() != target.port() || matches!(own, Address::Unix(_)) {
            return own == *target;
        }
        match own.family() == target.family() {
            true => own.is_any() || own == *target,
            false => own.is_any() && own.family() == AF_INET6 && !is_for_v6_only,
        }
    }
}

const LOOPBACK6: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
const MAPPED: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_in_memory() {
        let v4 = Address::V4([127, 0, 0, 1], 8080);
        assert_eq!(v4.bytes(), [2, 0, 0x1f, 0x90, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
        let others = [Address::V6([7; 16], 1), Address::Unix(b"/tmp/a".to_vec()), Address::Unix(b"\0a\0".to_vec())];
        for address in others.into_iter().chain([v4, Address::Unix(Vec::new())]) {
            assert_eq!(Address::read(&address.bytes()), Some(address));
        }
        assert_eq!(Address::Unix(b"/a".to_vec()).bytes(), b"\x01\0/a\0");
        for bad in [&[][..], &[2], &[2, 0, 0, 0, 0, 0], &[99, 0, 1, 2]] {
            assert_eq!(Address::read(bad), None);
        }
    }

    #[test]
    fn who_gets_what() {
        let local = Address::V4([127, 0, 0, 1], 80);
        let any = |family| Address::any(family).with_port(80);
        assert!(any(AF_INET).receives(&local, false) && any(AF_INET6).receives(&local, false));
        assert!(!any(AF_INET6).receives(&local, true) && !any(AF_INET).receives(&local.with_port(81), false));
        assert!(!Address::V4([127, 0, 0, 2], 80).receives(&local, false) && local.receives(&local, false));
        assert_eq!(any(AF_INET).target(), local);
        let shown = local.shown_to(AF_INET6);
        assert_eq!((shown.family(), shown.unmapped(), shown.is_loopback()), (AF_INET6, local, true));
    }
}
