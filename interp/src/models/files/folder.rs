//! Listing folders.

use super::{AT_FDCWD, Answer, Call, NoResult};
use crate::files::Listing;
use crate::files::errno::{EBADF, ENOTDIR};
use crate::files::open::OpenObject;
use crate::files::tree::Kind;
use crate::memory::{AllocKind, Memory};

/// Size of `struct dirent64`. The address of its buffer is also the `DIR` pointer.
const ENTRY: usize = 280;

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
    call.machine.files.listings.remove(&place);
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
        call.listing()?.names = Some(names);
    }
    let listing = call.listing()?;
    let Some((name, node)) = listing.names.as_ref().and_then(|names| names.get(listing.next)).cloned() else {
        return Ok(0);
    };
    listing.next += 1;
    let next = listing.next as u64;
    let kind = match call.machine.files.tree.node(node).kind {
        Kind::Folder { .. } => DT_DIR,
        Kind::Link(_) => DT_LNK,
        Kind::Device(_) => DT_CHR,
        Kind::Socket(_) => DT_SOCK,
        Kind::File(_) | Kind::Unread(_) => DT_REG,
    };
    // The fields of `include/linux/dirent.h`: number, offset of the next entry, length, type, name.
    let number = (node as u64 + 1).to_le_bytes();
    let length = (ENTRY as u16).to_le_bytes();
    let mut entry = [&number[..], &next.to_le_bytes(), &length, &[kind], &name].concat();
    entry.resize(ENTRY, 0);
    call.store_bytes(place, &entry)?;
    Ok(place)
}
