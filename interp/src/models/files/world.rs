//! What is made up of the disk, and what the machine then knows.

use super::NoResult;
use crate::environment::Disk;
use crate::files::errno::{EACCES, ENOENT, ENOTDIR, Errno};
use crate::files::path;
use crate::files::tree::{Kind, NodeId, PathLookup};
use crate::files::{HOME, Text};
use crate::inputs::{ExpectedPath, MadeUpPath};
use crate::machine::Machine;
use crate::sync::SyncKey;

/// Permission to change a file or what is in a folder.
const WRITE: u32 = 0o200;

/// What the program sees of a path: it knows its working folder at the start.
fn shown(path: &[u8]) -> &[u8] {
    path::below(HOME, path).unwrap_or(path)
}

impl Machine<'_> {
    /// What threads that use one file synchronise through.
    pub(super) fn file_token(&mut self) -> u64 {
        self.sync.next_token()
    }

    /// What is done to a file comes before all that is seen of it. No memory model says so; but who finds what another
    /// thread wrote has been told by the system, and a race that this hides is better missed than wrong.
    pub(super) fn publish_file(&mut self, token: u64) {
        self.order.on_release(self.thread_id(), SyncKey::Token(token));
    }

    /// What is seen of a file comes after all that was done to it.
    pub(super) fn see_file(&mut self, token: u64) {
        self.order.on_acquire(self.thread_id(), SyncKey::Token(token));
    }

    /// What is at a path that leads over no symbolic link; made up when nobody knows.
    pub(super) fn look(&mut self, path: &[u8], expect: ExpectedPath) -> Result<NodeId, Errno> {
        match self.files.tree.find(path) {
            PathLookup::Node(id) => {
                let token = self.files.tree.node(id).token;
                self.see_file(token);
                return Ok(id);
            }
            PathLookup::Nothing(errno) => return Err(errno),
            PathLookup::Unknown => {}
        }
        if self.environment.disk() == Disk::Empty {
            self.files.tree.settle_nothing(path);
            return Err(ENOENT);
        }
        let there = self.choose(|inputs, chooser| {
            inputs.answers += 1;
            let there = chooser.there(path, expect);
            inputs.note_path(shown(path), there.clone());
            there
        });
        match there {
            MadeUpPath::Nothing => {
                self.files.tree.settle_nothing(path);
                Err(ENOENT)
            }
            MadeUpPath::Folder(_) => Ok(self.files.tree.settle_folder(path)),
            MadeUpPath::File(_) => {
                let token = self.file_token();
                Ok(self.files.tree.settle_file(path, token))
            }
        }
    }

    /// The folder in which the program makes something new, or takes something away.
    pub(super) fn look_folder_of(&mut self, path: &[u8]) -> Result<(), Errno> {
        let Some(folder) = path::parent(path) else { return Err(EACCES) };
        let folder = folder.to_vec();
        let id = self.look(&folder, ExpectedPath::Folder)?;
        let node = self.files.tree.node(id);
        match node.kind {
            Kind::Folder { .. } if node.mode & WRITE == 0 => Err(EACCES),
            Kind::Folder { .. } => Ok(()),
            _ => Err(ENOTDIR),
        }
    }

    /// The system may refuse what it is asked to, unless something was made up for this call already: `answers` is how
    /// much was before it.
    pub(super) fn may_fail(&mut self, answers: u64, reasons: &[Errno]) -> Result<(), NoResult> {
        if self.inputs.answers != answers || self.environment.disk() != Disk::Any {
            return Ok(());
        }
        match self.choose(|inputs, chooser| inputs.failure(chooser, reasons)) {
            Some(errno) => Err(NoResult::Errno(errno)),
            None => Ok(()),
        }
    }

    /// The text of a file; that of one which was there before is made up now. `None` if it is no file.
    pub(super) fn text_of(&mut self, id: NodeId) -> Result<Option<Text>, NoResult> {
        let path = match &self.files.tree.node(id).kind {
            Kind::File(text) => return Ok(Some(*text)),
            Kind::Unread(path) => path.clone(),
            _ => return Ok(None),
        };
        let bytes = self.choose(|inputs, chooser| {
            let bytes = chooser.text_at(&path);
            inputs.note_path(shown(&path), MadeUpPath::File(Some(bytes.clone())));
            bytes
        });
        let mut text = Text::default();
        self.make_room(&mut text, bytes.len())?;
        if let Some(index) = text.index {
            self.memory.bytes_mut(index, 0, bytes.len()).copy_from_slice(&bytes);
        }
        text.len = bytes.len();
        self.files.tree.node_mut(id).kind = Kind::File(text);
        Ok(Some(text))
    }

    /// What is in a folder; of one that was there before, what else is made up now.
    pub(super) fn names_of(&mut self, path: &[u8], id: NodeId) -> Vec<(Vec<u8>, NodeId)> {
        if self.files.tree.node(id).kind == (Kind::Folder { whole: false }) {
            if self.environment.disk() != Disk::Empty {
                let names = self.choose(|_, chooser| chooser.names_in(path));
                for name in names {
                    let at = path::join(path, &name);
                    if self.files.tree.find(&at) == PathLookup::Unknown {
                        let token = self.file_token();
                        self.files.tree.settle_file(&at, token);
                    }
                }
                let names = self.files.tree.names(path).into_iter().map(|(name, _)| name).collect();
                self.inputs.note_path(shown(path), MadeUpPath::Folder(Some(names)));
            }
            self.files.tree.node_mut(id).kind = Kind::Folder { whole: true };
        }
        self.files.tree.names(path)
    }
}
