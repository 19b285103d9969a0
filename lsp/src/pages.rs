//! The pages of the rules as files in the user's cache folder: a link needs something that it can name.

use crate::uri;
use analyzer::{
    rules::{RULES, RuleSpec},
    user_files::{Header, UserFolder},
};
use lsp_types::{CodeDescription, Uri};
use std::{collections::BTreeMap, io};

/// The first line of a page, which Markdown shows as a paragraph above the heading.
const HEADER: Header = Header::new("tsvd-check explains a rule; this file is written anew when it changes.");
/// Maximum size of a page, in bytes.
const MAX_PAGE: u64 = 1 << 20;

/// Where each rule's page is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pages(BTreeMap<&'static str, Uri>);

impl Pages {
    /// Writes the pages. Without a folder of the user's for them, there are none.
    pub(crate) fn written() -> Pages {
        let Ok(folder) = UserFolder::cache("rules") else { return Pages::default() };
        let pages = RULES.iter().filter_map(|rule| Some((rule.name, written(&folder, rule).ok()??)));
        Pages(pages.collect())
    }

    /// The link to a rule's page.
    pub(crate) fn link(&self, rule: &str) -> Option<CodeDescription> {
        self.0.get(rule).map(|href| CodeDescription { href: href.clone() })
    }
}

/// Writes a page unless it is there; `None` if its path has no URI.
fn written(folder: &UserFolder, rule: &RuleSpec) -> io::Result<Option<Uri>> {
    let name = format!("{}.md", rule.name);
    let content = format!("\n{}", rule.page);
    let is_there = folder.read(&name, HEADER, MAX_PAGE).is_ok_and(|it| it.as_deref() == Some(content.as_bytes()));
    if !is_there {
        folder.write(&name, HEADER, content.as_bytes())?;
    }
    Ok(uri::of_path(&folder.path().join(name)))
}
