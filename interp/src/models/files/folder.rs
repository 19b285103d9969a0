//! Listing folders.

use super::{AT_FDCWD, Answer, Call, NoResult};
use crate::files::Listing;
use crate::files::errno::{EBADF, EINVAL, ENOTDIR};
use crate::files::open::OpenObject;
use crate::files::tree::{Kind, NodeId};
use crate::memory::{AllocKind, Memory};

/// Size of `struct dirent64`. The address of its buffer is also the `DIR` pointer.
const ENTRY: usize = 280;
/// Position of the name in it.
const NAME: usize = 19;

/// Types of entries.
const DT_CHR: u8 = 2;
const DT_DIR: u8 = 4;
const DT_REG: u8 = 8;
const DT_LNK: u8 = 10;
const DT_SOCK: u8 = 12;

impl Call<'_, '_> {
    /// Creates the `DIR` of a folder.
    fn list(&mut self, descriptor: i32) -> Answer {
        let index = self.machine.memory.allocate(ENTRY as u64, AllocKind::Heap)?;
        let place = Memory::address(index, 0);
        let listing = Listing { descriptor, names: None, next: 0 };
        self.machine.files.listings.insert(place, listing);
        Ok(place)
    }

    /// A `struct dirent64` (`include/linux/dirent.h`): number, position of the next entry, length, type, name.
    fn entry(&self, name: &[u8], node: NodeId, next: u64, length: usize) -> Vec<u8> {
        let kind = match self.machine.files.tree.node(node).kind {
            Kind::Folder { .. } => DT_DIR,
            Kind::Link(_) => DT_LNK,
            Kind::Device(_) => DT_CHR,
            Kind::Socket(_) => DT_SOCK,
            Kind::File(_) | Kind::Unread(_) => DT_REG,
        };
        let number = (node as u64 + 1).to_le_bytes();
        let mut entry = [&number[..], &next.to_le_bytes(), &(length as u16).to_le_bytes(), &[kind], name].concat();
        entry.resize(length, 0);
        entry
    }

    fn listing(&mut self) -> Result<&mut Listing, NoResult> {
        let place = self.arg(0)?;
        self.machine.files.listings.get_mut(&place).ok_or(NoResult::Errno(EBADF))
    }
}

/// `opendir(path)`
pub(in super::super) fn opendir(call: &mut Call<'_, '_>) -> Answer {
    let path = call.path(AT_FDCWD, 0)?;
    let descriptor = call.machine.open_folder(path)?;
    call.list(descriptor)
}

/// `fdopendir(fd)`
pub(in super::super) fn fdopendir(call: &mut Call<'_, '_>) -> Answer {
    let descriptor = call.int(0)?;
    let files = &call.machine.files;
    match files.table.opened(files.table.get(descriptor)?).what {
        OpenObject::Node { node, .. } if files.tree.is_folder(node) => call.list(descriptor),
        _ => Err(NoResult::Errno(ENOTDIR)),
    }
}

/// `dirfd(folder)`
pub(in super::super) fn dirfd(call: &mut Call<'_, '_>) -> Answer {
    Ok(call.listing()?.descriptor as u64)
}

/// `closedir(folder)`
pub(in super::super) fn closedir(call: &mut Call<'_, '_>) -> Answer {
    let descriptor = call.listing()?.descriptor;
    let place = call.arg(0)?;
    if let Some(listing) = call.machine.files.listings.remove(&place) {
        call.machine.files.listed -= listing.size();
    }
    call.machine.free(Memory::split(place).0);
    call.machine.close(descriptor)?;
    Ok(0)
}

/// `readdir64(folder)`: the entries at the time of the first call, by name.
pub(in super::super) fn readdir(call: &mut Call<'_, '_>) -> Answer {
    let place = call.arg(0)?;
    let descriptor = call.listing()?.descriptor;
    if call.listing()?.names.is_none() {
        let opened = call.machine.files.table.get(descriptor)?;
        let OpenObject::Node { node, path } = call.machine.files.table.opened(opened).what.clone() else {
            return Err(NoResult::Errno(ENOTDIR));
        };
        let mut names = vec![(b".".to_vec(), node), (b"..".to_vec(), node)];
        // A removed folder is empty.
        if call.machine.files.tree.node(node).links > 0 {
            names.extend(call.machine.names_of(&path, node));
        }
        let listing = call.listing()?;
        listing.names = Some(names);
        let size = listing.size();
        call.machine.files.listed += size;
    }
    let listing = call.listing()?;
    let Some((name, node)) = listing.names.as_ref().and_then(|names| names.get(listing.next)).cloned() else {
        return Ok(0);
    };
    listing.next += 1;
    let next = listing.next as u64;
    let entry = call.entry(&name, node, next, ENTRY);
    call.store_bytes(place, &entry)?;
    Ok(place)
}

/// `getdents64(fd, entries, size)`: the entries that fit. The position in a folder is the number of the last entry, so
/// changes between two calls hide no other entry.
pub(in crate::models) fn getdents(call: &mut Call<'_, '_>, descriptor: i32, to: u64, room: usize) -> Answer {
    let opened = call.machine.files.table.get(descriptor)?;
    let open = call.machine.files.table.opened(opened);
    let (position, OpenObject::Node { node: folder, path }) = (open.position, open.what.clone()) else {
        return Err(NoResult::Errno(ENOTDIR));
    };
    if !call.machine.files.tree.is_folder(folder) {
        return Err(NoResult::Errno(ENOTDIR));
    }
    let mut entries = vec![(1, b".".to_vec(), folder), (2, b"..".to_vec(), folder)];
    if call.machine.files.tree.node(folder).links > 0 {
        let names = call.machine.names_of(&path, folder);
        entries.extend(names.into_iter().map(|(name, node)| (node as u64 + 3, name, node)));
    }
    entries.sort_unstable();
    let (mut written, mut last) = (Vec::new(), position);
    for (number, name, node) in entries.into_iter().filter(|it| it.0 > position) {
        let length = (NAME + name.len() + 1).next_multiple_of(8);
        if written.len() + length > room {
            if written.is_empty() {
                return Err(NoResult::Errno(EINVAL));
            }
            break;
        }
        written.extend(call.entry(&name, node, number, length));
        last = number;
    }
    call.store_bytes(to, &written)?;
    call.machine.files.table.opened_mut(opened).position = last;
    Ok(written.len() as u64)
}
