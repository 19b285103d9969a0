//! Converts findings to the protocol's form.

use crate::{
    features::Features,
    findings::{Edit, Finding, Shown, Sources},
    pages::Pages,
    uri,
};
use analyzer::{
    Report,
    diagnostic::{Diagnostic, Level},
    escape,
    project::Location,
    report::SourceFile,
    suppress,
};
use lsp_types::{
    Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location as LspLocation,
    NumberOrString, Position, Range, TextEdit, Uri,
};
use serde_json::json;
use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

/// An id of some diagnostics: others have another one.
pub(crate) fn content_id(diagnostics: &[LspDiagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    json!(diagnostics).to_string().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Findings by file.
pub(crate) type ByFile = BTreeMap<String, (Uri, Vec<Shown>)>;

/// What the form of findings depends on.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) features: Features,
    pub(crate) pages: Arc<Pages>,
}

/// The protocol's form of a report's findings.
pub(crate) fn converted(report: &Report, form: &Form) -> ByFile {
    let mut files = Files::new();
    let sources = report.parts.iter().flat_map(|part| &part.sources);
    let all: Arc<Sources> = Arc::new(sources.clone().map(|(path, file)| (path.clone(), file.clone())).collect());
    for (path, SourceFile { path: on_disk, text, .. }) in sources {
        if let Some(uri) = on_disk.as_deref().and_then(uri::of_path) {
            files.insert(path, (uri, text.lines().collect()));
        }
    }
    let mut found = ByFile::new();
    let mut known: Vec<(&str, String)> = Vec::new();
    for diagnostic in report.findings().filter(|it| it.counts()) {
        // Several packages may show the same bug of a shared library.
        let bug = (diagnostic.primary.path.as_str(), diagnostic.fingerprint());
        if known.contains(&bug) {
            continue;
        }
        known.push(bug);
        let converter = Converter { files: &files, sources: &all, form };
        let Some((uri, converted)) = converter.converted(diagnostic) else { continue };
        found.entry(uri.as_str().to_owned()).or_insert_with(|| (uri, Vec::new())).1.push(converted);
    }
    for (_, diagnostics) in found.values_mut() {
        diagnostics.sort_by(|one, two| {
            let (one, two) = (&one.diagnostic, &two.diagnostic);
            (one.range.start, &one.message).cmp(&(two.range.start, &two.message))
        });
    }
    found
}

/// The files that findings point to, with their lines.
type Files<'a> = BTreeMap<&'a str, (Uri, Vec<&'a str>)>;

struct Converter<'a> {
    files: &'a Files<'a>,
    sources: &'a Arc<Sources>,
    form: &'a Form,
}

impl Converter<'_> {
    fn converted(&self, diagnostic: &Diagnostic) -> Option<(Uri, Shown)> {
        let LspLocation { uri, range } = self.location(&diagnostic.primary)?;
        let shown = diagnostic.escaped();
        let related: Vec<_> = diagnostic
            .others
            .iter()
            .zip(shown.others.iter())
            .filter_map(|(site, shown)| {
                let location = self.location(&site.location)?;
                Some(DiagnosticRelatedInformation { location, message: shown.text.clone() })
            })
            .collect();
        let others = related.iter().map(|it| (it.location.uri.clone(), it.location.range)).collect();
        let finding = Arc::new(self.finding(diagnostic)?);
        let severity = match diagnostic.level {
            Level::Error => DiagnosticSeverity::ERROR,
            Level::Warning => DiagnosticSeverity::WARNING,
        };
        let converted = LspDiagnostic {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(diagnostic.rule.to_owned())),
            code_description: self.form.pages.link(diagnostic.rule),
            source: Some("tsvd-check".to_owned()),
            message: self.message(&shown),
            related_information: (self.form.features.related && !related.is_empty()).then_some(related),
            data: Some(json!({ "id": finding.id })),
            ..LspDiagnostic::default()
        };
        Some((uri, Shown { diagnostic: converted, others, finding }))
    }

    fn finding(&self, diagnostic: &Diagnostic) -> Option<Finding> {
        let fix = diagnostic.help.as_ref().and_then(|help| {
            let LspLocation { uri, range } = self.location(&help.location)?;
            let title = escape::line(&help.text).into_owned();
            Some((title, Edit { uri, edit: TextEdit { range, new_text: help.replacement.clone() } }))
        });
        Some(Finding {
            id: diagnostic.replay.clone().unwrap_or_else(|| diagnostic.fingerprint()),
            diagnostic: diagnostic.clone(),
            sources: Arc::clone(self.sources),
            fix,
            suppression: self.suppression(diagnostic)?,
        })
    }

    /// A comment above the primary location, with its indentation. A check asks for its reason until it is written.
    fn suppression(&self, diagnostic: &Diagnostic) -> Option<Edit> {
        let LspLocation { uri, range } = self.location(&diagnostic.primary)?;
        let (_, lines) = self.files.get(diagnostic.primary.path.as_str())?;
        let line = lines.get(range.start.line as usize).copied().unwrap_or_default();
        let indent = &line[..line.len() - line.trim_start().len()];
        let text = &self.sources.get(&diagnostic.primary.path)?.text;
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let new_text = format!("{indent}{}{end}", suppress::comment(diagnostic.rule));
        let at = Position { line: range.start.line, character: 0 };
        Some(Edit { uri, edit: TextEdit { range: Range { start: at, end: at }, new_text } })
    }

    /// The message names the other locations; a client without related information also gets those that the message
    /// omits.
    fn message(&self, diagnostic: &Diagnostic) -> String {
        let mut lines = vec![diagnostic.message.clone()];
        if !self.form.features.related {
            let further = diagnostic.others.iter().map(|site| {
                let Location { path, line, column, .. } = &site.location;
                format!("{path}:{line}:{column}: {}", site.text)
            });
            lines.extend(further);
        }
        if let Some(help) = &diagnostic.help {
            lines.push(format!("help: {}", help.text));
        }
        if let Some(id) = &diagnostic.replay {
            lines.push(format!("{}; tsvd-check replay {id}", diagnostic.confidence.name()));
        }
        lines.join("\n")
    }

    fn location(&self, location: &Location) -> Option<LspLocation> {
        let (uri, lines) = self.files.get(location.path.as_str())?;
        let position = |line: u32, column: u32| {
            let text = lines.get(line.saturating_sub(1) as usize).copied().unwrap_or_default();
            self.form.features.encoding.position(text, line, column)
        };
        let range = Range {
            start: position(location.line, location.column),
            end: position(location.end_line, location.end_column),
        };
        Some(LspLocation { uri: uri.clone(), range })
    }
}
