//! Answers about findings that are shown: quick fixes, hovers, interleavings, explanations of rules.

use crate::{
    Renderers,
    documents::Documents,
    findings::{Finding, Shown},
    project::Root,
};
use analyzer::rules::{self, RULES};
use lsp_types::{
    CodeActionOrCommand, CodeActionParams, ExecuteCommandParams, Hover, HoverContents, HoverParams, MarkupContent,
    MarkupKind, Range, Uri,
};
use serde_json::{Value, json};

/// The command that returns the interleaving of the finding whose id is the argument.
pub(crate) const INTERLEAVING: &str = "tsvd-check.interleaving";
/// The command that returns the page of the rule that is the argument.
pub(crate) const EXPLAIN: &str = "tsvd-check.explain";

/// What answers need.
pub(crate) struct Queries<'a> {
    pub(crate) roots: &'a [Root],
    pub(crate) documents: &'a Documents,
    pub(crate) renderers: Renderers,
    /// The commands that the client knows itself.
    pub(crate) commands: &'a [String],
}

impl Queries<'_> {
    /// Quick fixes of the findings at a range, and of those that the client names. No edits of a text that has changed
    /// since it was analysed.
    pub(crate) fn actions(&self, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
        let uri = &params.text_document.uri;
        let named: Vec<&str> =
            params.context.diagnostics.iter().filter_map(|it| it.data.as_ref()?.get("id")?.as_str()).collect();
        let mut actions: Vec<CodeActionOrCommand> = Vec::new();
        for root in self.roots {
            let is_there =
                |own: &Uri, it: &Shown| it.is_at(own, uri, params.range) || named.contains(&it.finding.id.as_str());
            for (_, shown) in root.all_shown().filter(|(own, it)| is_there(own, it)) {
                for action in shown.actions(self.commands) {
                    let is_applicable =
                        |action: &CodeActionOrCommand| edited(action).all(|it| root.is_up_to_date(it, self.documents));
                    // Several projects may show one finding.
                    if is_applicable(&action) && !actions.contains(&action) {
                        actions.push(action);
                    }
                }
            }
        }
        actions
    }

    /// How the findings at a position happen.
    pub(crate) fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let position = params.text_document_position_params.position;
        let uri = &params.text_document_position_params.text_document.uri;
        let at = Range { start: position, end: position };
        let mut texts: Vec<String> = Vec::new();
        for root in self.roots.iter().filter(|root| root.is_up_to_date(uri, self.documents)) {
            for (_, shown) in root.all_shown().filter(|(own, it)| it.is_at(own, uri, at)) {
                let text = (self.renderers.hover)(&shown.finding.report());
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        let value = texts.join("\n\n---\n\n");
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        (!texts.is_empty()).then_some(Hover { contents, range: None })
    }

    /// The result of a command; the error is a text for the user.
    pub(crate) fn execute(&self, params: &ExecuteCommandParams) -> Result<Value, String> {
        let argument = params.arguments.first().and_then(Value::as_str);
        let argument = argument.ok_or_else(|| format!("`{}` needs a text as its argument", params.command))?;
        match params.command.as_str() {
            INTERLEAVING => {
                let finding = self.finding(argument).ok_or("this finding is not shown any more")?;
                let report = finding.report();
                let shown = finding.diagnostic.escaped();
                Ok(json!({
                    "title": format!("{}: {}", shown.rule, shown.title),
                    "markdown": (self.renderers.markdown)(&report),
                    "html": (self.renderers.html)(&report),
                }))
            }
            EXPLAIN => {
                let names = || RULES.iter().map(|it| it.name).collect::<Vec<_>>().join(", ");
                let rule = rules::rule(argument);
                let rule = rule.ok_or_else(|| format!("unknown rule `{argument}`; the rules are {}", names()))?;
                Ok(json!({ "markdown": rule.page }))
            }
            other => Err(format!("unknown command `{other}`")),
        }
    }

    fn finding(&self, id: &str) -> Option<&Finding> {
        let all = self.roots.iter().flat_map(Root::all_shown);
        all.map(|(_, shown)| &*shown.finding).find(|finding| finding.id == id)
    }
}

/// The files that an action changes.
fn edited(action: &CodeActionOrCommand) -> impl Iterator<Item = &Uri> {
    let edit = match action {
        CodeActionOrCommand::CodeAction(action) => action.edit.as_ref(),
        CodeActionOrCommand::Command(_) => None,
    };
    edit.and_then(|edit| edit.changes.as_ref()).into_iter().flat_map(|changes| changes.keys())
}
