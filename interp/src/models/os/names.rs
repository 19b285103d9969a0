//! Addresses of sockets in calls, and Unix sockets as files.

use super::{Answer, Call, NoResult};
use crate::files::errno::{EADDRINUSE, EFAULT, EINVAL, ENOENT, ENOTCONN};
use crate::files::path;
use crate::files::tree::Kind;
use crate::inputs::ExpectedPath;
use crate::machine::Machine;
use crate::os::address::Address;
use crate::os::socket::Peer;

/// Size of `struct sockaddr_storage`.
const LONGEST: usize = 128;
/// Permissions of a socket in the file system.
const MODE: u32 = 0o755;

impl Machine<'_> {
    /// The socket that was bound to a path; `None` if something else is there.
    pub(super) fn socket_at(&mut self, path: Vec<u8>) -> Result<Option<usize>, NoResult> {
        let path = self.files.tree.resolve(path, true)?;
        let node = self.look(&path, ExpectedPath::Any)?;
        match self.files.tree.node(node).kind {
            Kind::Socket(id) => Ok(Some(id)),
            _ => Ok(None),
        }
    }

    /// Binds a socket to a path.
    pub(super) fn add_socket(&mut self, path: Vec<u8>, id: usize) -> Result<(), NoResult> {
        let path = self.files.tree.resolve(path, false)?;
        match self.look(&path, ExpectedPath::NewFile) {
            Ok(_) => return Err(NoResult::Errno(EADDRINUSE)),
            Err(ENOENT) => {}
            Err(errno) => return Err(NoResult::Errno(errno)),
        }
        self.look_folder_of(&path)?;
        let (token, now) = (self.file_token(), self.now);
        let node = self.files.tree.add(Kind::Socket(id), MODE, now, token);
        self.files.tree.put(&path, node);
        self.publish_file(token);
        Ok(())
    }
}

impl Call<'_, '_> {
    /// The path of a Unix socket, relative to the working folder.
    pub(super) fn own_path(&mut self, text: &[u8]) -> Result<Vec<u8>, NoResult> {
        Ok(path::normal(&self.machine.files.current, text))
    }

    /// The address that two arguments, a pointer and a length, describe; `None` for a null pointer.
    pub(super) fn address(&mut self, pointer: usize, len: usize) -> Result<Option<Address>, NoResult> {
        let (at, len) = (self.arg(pointer)?, self.arg(len)? as u32 as usize);
        self.address_at(at, len)
    }

    pub(super) fn address_at(&mut self, at: u64, len: usize) -> Result<Option<Address>, NoResult> {
        if at == 0 {
            return Ok(None);
        }
        if len > LONGEST {
            return Err(NoResult::Errno(EINVAL));
        }
        let bytes = self.machine.load_bytes(at, len as u64)?;
        Ok(Some(Address::read(&bytes).ok_or(EINVAL)?))
    }

    /// Writes an address to where two arguments point, and its length.
    pub(super) fn tell_address(
        &mut self,
        pointer: usize,
        len: usize,
        address: Option<&Address>,
    ) -> Result<(), NoResult> {
        let (at, len_at) = (self.arg(pointer)?, self.arg(len)?);
        if at == 0 || len_at == 0 {
            return Ok(());
        }
        let room = self.machine.load_word(len_at, 4)? as usize;
        let len = self.put_address(at, room, address)?;
        self.machine.store_word(len_at, 4, len as u64)?;
        Ok(())
    }

    /// Writes as much of an address as there is room for; returns its whole length.
    pub(super) fn put_address(&mut self, at: u64, room: usize, address: Option<&Address>) -> Result<usize, NoResult> {
        let bytes = address.map(Address::bytes).unwrap_or_default();
        let shown = bytes.get(..room.min(bytes.len())).unwrap_or_default();
        self.store_bytes(at, shown)?;
        Ok(bytes.len())
    }
}

/// `getsockname(fd, &address, &length)`
pub(in crate::models) fn getsockname(call: &mut Call<'_, '_>) -> Answer {
    let (_, id) = call.socket(call.int(0)?)?;
    if call.arg(1)? == 0 || call.arg(2)? == 0 {
        return Err(NoResult::Errno(EFAULT));
    }
    let socket = call.machine.os.sockets.get(id);
    let local = socket.local.clone().unwrap_or_else(|| Address::any(socket.family));
    call.tell_address(1, 2, Some(&local))?;
    Ok(0)
}

/// `getpeername(fd, &address, &length)`
pub(in crate::models) fn getpeername(call: &mut Call<'_, '_>) -> Answer {
    let (_, id) = call.socket(call.int(0)?)?;
    let socket = call.machine.os.sockets.get(id);
    // A connection that the other end has reset is none any more.
    let is_connected = !socket.is_connecting && !socket.is_broken;
    let remote = socket.remote.clone().filter(|_| is_connected && socket.backlog.is_none() && !socket.is_refused());
    let Some(remote) = remote else { return Err(NoResult::Errno(ENOTCONN)) };
    call.tell_address(1, 2, Some(&remote))?;
    Ok(0)
}

impl crate::os::socket::Socket {
    /// Whether it tried to connect in vain.
    fn is_refused(&self) -> bool {
        self.peer == Peer::Nobody && self.write_ended
    }
}
