//! The texts open in the editor: they override the files on disk.

use crate::{positions::Encoding, uri};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::{collections::BTreeMap, path::PathBuf};

/// An open text.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: String,
}

/// All open texts, by path.
pub(crate) struct Documents {
    encoding: Encoding,
    texts: BTreeMap<PathBuf, Document>,
}

impl Documents {
    /// No texts; positions in their changes are counted like this.
    pub(crate) fn new(encoding: Encoding) -> Documents {
        Documents { encoding, texts: BTreeMap::new() }
    }

    /// Returns the path of the document; `None` if it is not a file.
    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: String) -> Option<PathBuf> {
        let path = uri::to_path(&uri)?;
        self.texts.insert(path.clone(), Document { uri, version, text });
        Some(path)
    }

    pub(crate) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Option<PathBuf> {
        let path = uri::to_path(uri)?;
        let encoding = self.encoding;
        let document = self.texts.get_mut(&path)?;
        document.version = version;
        for change in changes {
            match change.range {
                None => document.text = change.text,
                Some(range) => {
                    let start = encoding.offset(&document.text, range.start);
                    let end = encoding.offset(&document.text, range.end).max(start);
                    document.text.replace_range(start..end, &change.text);
                }
            }
        }
        Some(path)
    }

    pub(crate) fn close(&mut self, uri: &Uri) -> Option<PathBuf> {
        let path = uri::to_path(uri)?;
        self.texts.remove(&path).map(|_| path)
    }

    pub(crate) fn get(&self, path: &PathBuf) -> Option<&Document> {
        self.texts.get(path)
    }

    /// The version of an open text.
    pub(crate) fn version(&self, uri: &Uri) -> Option<i32> {
        self.texts.get(&uri::to_path(uri)?).map(|document| document.version)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&PathBuf, &Document)> {
        self.texts.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    fn edited(text: &str, start: (u32, u32), end: (u32, u32), new: &str) -> String {
        let uri: Uri = "file:///a.rs".parse().unwrap();
        let mut documents = Documents::new(Encoding::Utf16);
        documents.open(uri.clone(), 1, text.to_owned()).unwrap();
        let at = |(line, character)| Position { line, character };
        let range = Some(Range { start: at(start), end: at(end) });
        let change = TextDocumentContentChangeEvent { range, range_length: None, text: new.to_owned() };
        let path = documents.change(&uri, 2, vec![change]).unwrap();
        documents.get(&path).unwrap().text.clone()
    }

    #[test]
    fn edits() {
        assert_eq!(edited("ab\ncd\n", (1, 1), (1, 2), "x"), "ab\ncx\n");
        assert_eq!(edited("ab\ncd\n", (0, 2), (1, 0), ""), "abcd\n");
        // Two UTF-16 units are one character here, and four bytes.
        assert_eq!(edited("a𝄞b", (0, 3), (0, 4), "c"), "a𝄞c");
        assert_eq!(edited("ab", (7, 0), (9, 9), "c"), "abc");
        assert_eq!(edited("ab\n", (0, 99), (0, 99), "c"), "abc\n");
        assert_eq!(edited("ab", (0, 2), (0, 1), "c"), "abc");
    }
}
