//! Makes up the contents of the disk, and records them as known.

use super::NoResult;
use crate::environment::{Disk, KnownPath};
use crate::files::errno::{EACCES, ENOENT, ENOTDIR, Errno};
use crate::files::path;
use crate::files::tree::{Kind, NodeId, PathLookup};
use crate::files::{HOME, Text};
use crate::inputs::{ExpectedPath, MadeUpPath};
use crate::machine::Machine;
use crate::sync::SyncKey;

/// How many bytes a question to the environment counts for: it may look at the user's disk.
const LOOK_WORK: u64 = 8192;
/// The same for each name in its answer.
const NAME_WORK: u64 = 256;

/// Permission to write a file or folder.
const WRITE: u32 = 0o200;

/// Where the files of users are.
const HOMES: &[u8] = b"/home/";

impl Machine<'_> {
    /// The path as the program sees it: it knows its initial working folder.
    fn shown(&mut self, path: &[u8]) -> Vec<u8> {
        let folder = self.environment.folder().unwrap_or_else(|| HOME.to_vec());
        path::below(&folder, path).unwrap_or(path).to_vec()
    }

    /// A new key through which the users of a file synchronise.
    pub(in crate::models) fn file_token(&mut self) -> u64 {
        self.sync.next_token()
    }

    /// Orders operations on a file before later observations of it. No memory model requires that; but a thread that
    /// finds what another one wrote is synchronised by the system, and missing a race is better than a false report.
    pub(crate) fn publish_file(&mut self, token: u64) {
        self.order.on_release(self.thread_id(), SyncKey::Token(token));
    }

    /// Orders an observation of a file after the operations on it.
    pub(in crate::models) fn see_file(&mut self, token: u64) {
        self.order.on_acquire(self.thread_id(), SyncKey::Token(token));
    }

    /// Records what the environment knows of a path without symbolic links, unless the run already knows it.
    pub(in crate::models) fn settle_known(&mut self, path: &[u8]) {
        let known = self.environment.path(path);
        if let Some(known) = &known {
            let names = if let KnownPath::Folder(names) = known { names.len() } else { 0 };
            self.touched(LOOK_WORK + NAME_WORK * names as u64);
            // It is an answer, so no other is made up for this call.
            self.inputs.answers += 1;
        }
        if self.files.tree.find(path) != PathLookup::Unknown {
            return;
        }
        match known {
            Some(KnownPath::Nothing) => self.files.tree.settle_nothing(path),
            Some(KnownPath::Folder(_)) => {
                self.files.tree.settle_folder(path);
            }
            Some(KnownPath::File) => {
                let token = self.file_token();
                self.files.tree.settle_file(path, token);
            }
            None => {}
        }
    }

    /// What exists at a path without symbolic links; made up if unknown.
    pub(in crate::models) fn look(&mut self, path: &[u8], expect: ExpectedPath) -> Result<NodeId, Errno> {
        self.settle_known(path);
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
        let is_any = self.environment.disk() == Disk::Any;
        let shown = self.shown(path);
        let there = self.choose(|inputs, chooser| {
            inputs.answers += 1;
            let there = chooser.there(path, expect, is_any);
            inputs.note_path(&shown, there.clone());
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

    /// Looks up the folder in which the program creates or removes something.
    pub(in crate::models) fn look_folder_of(&mut self, path: &[u8]) -> Result<(), Errno> {
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

    /// The system may refuse a call, unless it already has an answer: `answers` is the number of answers before it.
    pub(in crate::models) fn may_fail(&mut self, answers: u64, reasons: &[Errno]) -> Result<(), NoResult> {
        if self.inputs.answers != answers || self.environment.disk() != Disk::Any {
            return Ok(());
        }
        match self.choose(|inputs, chooser| inputs.failure(chooser, reasons)) {
            Some(errno) => Err(NoResult::Errno(errno)),
            None => Ok(()),
        }
    }

    /// The contents of a file; made up now if it existed before. `None` if it is no file.
    pub(super) fn text_of(&mut self, id: NodeId) -> Result<Option<Text>, NoResult> {
        let path = match &self.files.tree.node(id).kind {
            Kind::File(text) => return Ok(Some(*text)),
            Kind::Unread(path) => path.clone(),
            _ => return Ok(None),
        };
        let bytes = match self.environment.file(&path) {
            Some(bytes) => bytes,
            None => {
                let (shown, is_second) = (self.shown(&path), self.is_second_program(self.process));
                self.choose(|inputs, chooser| {
                    let made = chooser.text_at(&path, inputs.document.filter(|_| is_second));
                    if !is_second && made.document.is_some() {
                        inputs.document = made.document;
                    }
                    inputs.has_second_document |= is_second && path.starts_with(HOMES);
                    inputs.note_path(&shown, MadeUpPath::File(Some(made.text.clone())));
                    made.text
                })
            }
        };
        self.touched(bytes.len() as u64);
        let mut text = Text::default();
        self.make_room(&mut text, bytes.len())?;
        if let Some(index) = text.index {
            self.memory.bytes_mut(index, 0, bytes.len()).copy_from_slice(&bytes);
        }
        text.len = bytes.len();
        self.files.tree.node_mut(id).kind = Kind::File(text);
        Ok(Some(text))
    }

    /// Hands the files below a folder to the environment.
    pub(crate) fn collect_files(&mut self, folder: &[u8]) {
        for (name, id) in self.files.tree.names(folder) {
            let path = path::join(folder, &name);
            match self.files.tree.node(id).kind {
                Kind::Folder { .. } => self.collect_files(&path),
                Kind::File(text) => {
                    let Some(index) = text.index else {
                        self.environment.collect(&path, Some(&[]));
                        continue;
                    };
                    let is_known = !self.memory.alloc(index).uninterpreted.touches(0, text.len);
                    let bytes = self.memory.bytes(index, 0, text.len);
                    self.environment.collect(&path, is_known.then_some(bytes));
                }
                Kind::Unread(_) | Kind::Link(_) | Kind::Device(_) | Kind::Socket(_) => {}
            }
        }
    }

    /// The entries of a folder; if it existed before, its other entries are made up now.
    pub(super) fn names_of(&mut self, path: &[u8], id: NodeId) -> Vec<(Vec<u8>, NodeId)> {
        if self.files.tree.node(id).kind == (Kind::Folder { whole: false }) {
            if let Some(KnownPath::Folder(names)) = self.environment.path(path) {
                names.iter().for_each(|name| self.settle_known(&path::join(path, name)));
            } else if self.environment.disk() != Disk::Empty {
                let names = self.choose(|_, chooser| chooser.names_in(path));
                for name in names {
                    let at = path::join(path, &name);
                    if self.files.tree.find(&at) == PathLookup::Unknown {
                        let token = self.file_token();
                        self.files.tree.settle_file(&at, token);
                    }
                }
                let names = self.files.tree.names(path).into_iter().map(|(name, _)| name).collect();
                let shown = self.shown(path);
                self.inputs.note_path(&shown, MadeUpPath::Folder(Some(names)));
            }
            self.files.tree.node_mut(id).kind = Kind::Folder { whole: true };
        }
        self.files.tree.names(path)
    }
}
