//! Findings as the client shows them, with what is offered for each: a fix, a comment that suppresses it, its interleaving.

use analyzer::{
    Report,
    diagnostic::Diagnostic,
    report::{PackageReport, Part, SourceFile},
};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Diagnostic as LspDiagnostic, Range, TextEdit, Uri,
    WorkspaceEdit,
};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};

/// Shows the interleaving of the finding whose id is the argument, in the client.
pub(crate) const SHOW_INTERLEAVING: &str = "tsvd-check.showInterleaving";
/// Explains the rule that is the argument, in the client.
pub(crate) const EXPLAIN_RULE: &str = "tsvd-check.explainRule";

/// The files that findings are drawn in, by path.
pub(crate) type Sources = BTreeMap<String, SourceFile>;

/// A finding that the client shows.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// As the protocol has it.
    pub(crate) diagnostic: LspDiagnostic,
    /// Its other sites: files and ranges.
    pub(crate) others: Vec<(Uri, Range)>,
    pub(crate) finding: Arc<Finding>,
}

/// The client shows the same.
impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        self.diagnostic == other.diagnostic
    }
}

/// What is known of a finding.
#[derive(Debug)]
pub(crate) struct Finding {
    /// The name by which the client asks for it.
    pub(crate) id: String,
    pub(crate) diagnostic: Diagnostic,
    pub(crate) sources: Arc<Sources>,
    /// An edit that repairs it, with its title.
    pub(crate) fix: Option<(String, Edit)>,
    /// A comment that suppresses it.
    pub(crate) suppression: Edit,
}

/// An edit of one file.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) uri: Uri,
    pub(crate) edit: TextEdit,
}

impl Edit {
    #[expect(clippy::mutable_key_type, reason = "the protocol's type has these keys; nothing changes them")]
    fn workspace_edit(&self) -> WorkspaceEdit {
        let changes = std::iter::once((self.uri.clone(), vec![self.edit.clone()])).collect();
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }
}

impl Finding {
    /// A report of this finding alone.
    pub(crate) fn report(&self) -> Report {
        let package = PackageReport { findings: vec![self.diagnostic.clone()], ..PackageReport::default() };
        Report::of(Part { packages: vec![package], sources: (*self.sources).clone(), ..Part::default() })
    }
}

impl Shown {
    /// Whether a position is within one of its sites in a file.
    pub(crate) fn is_at(&self, own: &Uri, file: &Uri, range: Range) -> bool {
        let is_in = |site: Range| site.start <= range.end && range.start <= site.end;
        own == file && is_in(self.diagnostic.range) || self.others.iter().any(|(uri, site)| uri == file && is_in(*site))
    }

    /// What the client can do about it. `commands` are those that it knows itself.
    pub(crate) fn actions(&self, commands: &[String]) -> Vec<CodeActionOrCommand> {
        let quick_fix = |title: String, edit: &Edit, is_preferred: bool| {
            CodeActionOrCommand::CodeAction(CodeAction {
                title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![self.diagnostic.clone()]),
                edit: Some(edit.workspace_edit()),
                is_preferred: Some(is_preferred),
                ..CodeAction::default()
            })
        };
        let Finding { id, diagnostic, fix, suppression, .. } = &*self.finding;
        let mut actions: Vec<CodeActionOrCommand> =
            fix.iter().map(|(title, edit)| quick_fix(title.clone(), edit, true)).collect();
        let command = |name: &str, title: String, argument: &str| {
            let command = Command {
                title: title.clone(),
                command: name.to_owned(),
                arguments: Some(vec![Value::from(argument)]),
            };
            let diagnostics = Some(vec![self.diagnostic.clone()]);
            let kind = Some(CodeActionKind::QUICKFIX);
            CodeActionOrCommand::CodeAction(CodeAction {
                title,
                kind,
                diagnostics,
                command: Some(command),
                ..CodeAction::default()
            })
        };
        if commands.iter().any(|it| it == SHOW_INTERLEAVING) {
            actions.push(command(SHOW_INTERLEAVING, "Show the interleaving".to_owned(), id));
        }
        if commands.iter().any(|it| it == EXPLAIN_RULE) {
            actions.push(command(EXPLAIN_RULE, format!("Explain {}", diagnostic.rule), diagnostic.rule));
        }
        // Last: what comes first is chosen by a mere Enter.
        actions.push(quick_fix(format!("Suppress this {} with a comment", diagnostic.rule), suppression, false));
        actions
    }
}
