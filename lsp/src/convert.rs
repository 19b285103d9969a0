//! Findings as the protocol has them.

use crate::uri;
use analyzer::{
    diagnostic::{Confidence, Diagnostic, Level},
    project::{Place, Project},
};
use lsp_types::{
    Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position,
    Range, Uri,
};
use std::collections::BTreeMap;

/// Findings by file.
pub(crate) type ByFile = BTreeMap<String, (Uri, Vec<LspDiagnostic>)>;

/// Gives findings the protocol's form; positions count from 0, columns in UTF-16.
pub(crate) struct Converter<'a> {
    project: &'a Project,
    /// The lines of the files that were asked for.
    texts: BTreeMap<String, Option<(Uri, Vec<String>)>>,
    /// Whether the client shows other places of a finding.
    has_related: bool,
}

impl<'a> Converter<'a> {
    pub(crate) fn new(project: &'a Project, has_related: bool) -> Self {
        Converter { project, texts: BTreeMap::new(), has_related }
    }

    pub(crate) fn all(&mut self, diagnostics: &[Diagnostic]) -> ByFile {
        let mut found = ByFile::new();
        for diagnostic in diagnostics {
            let Some((uri, converted)) = self.converted(diagnostic) else { continue };
            found.entry(uri.as_str().to_owned()).or_insert_with(|| (uri, Vec::new())).1.push(converted);
        }
        found
    }

    fn converted(&mut self, diagnostic: &Diagnostic) -> Option<(Uri, LspDiagnostic)> {
        let Location { uri, range } = self.location(&diagnostic.primary)?;
        let shown = diagnostic.escaped();
        let related: Vec<_> = diagnostic
            .others
            .iter()
            .zip(shown.others.iter())
            .filter_map(|(site, shown)| {
                let location = self.location(&site.place)?;
                Some(DiagnosticRelatedInformation { location, message: shown.text.clone() })
            })
            .collect();
        let severity = match (diagnostic.level, diagnostic.confidence) {
            (Level::Error, Confidence::Certain | Confidence::SomeInput) => DiagnosticSeverity::ERROR,
            _ => DiagnosticSeverity::WARNING,
        };
        let converted = LspDiagnostic {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(diagnostic.rule.to_owned())),
            source: Some("tsvd-check".to_owned()),
            message: self.message(&shown),
            related_information: (self.has_related && !related.is_empty()).then_some(related),
            ..LspDiagnostic::default()
        };
        Some((uri, converted))
    }

    /// The sentence names the other sites; a client that cannot show them gets those that it does not name, too.
    fn message(&self, diagnostic: &Diagnostic) -> String {
        let mut lines = vec![diagnostic.message.clone()];
        if !self.has_related {
            let further = diagnostic.others.iter().map(|site| {
                let Place { path, line, column, .. } = &site.place;
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

    fn location(&mut self, place: &Place) -> Option<Location> {
        let project = self.project;
        let file = self.texts.entry(place.path.clone()).or_insert_with(|| {
            let uri = uri::of_path(&project.path_of(&place.path)?)?;
            let text = project.text_of(&place.path)?;
            Some((uri, text.lines().map(str::to_owned).collect()))
        });
        let (uri, lines) = file.as_ref()?;
        let position = |line: u32, column: u32| {
            let text = lines.get(line.saturating_sub(1) as usize).map_or("", String::as_str);
            let before = text.chars().take(column.saturating_sub(1) as usize);
            let character = before.map(|it| it.len_utf16() as u32).sum();
            Position { line: line.saturating_sub(1), character }
        };
        let range =
            Range { start: position(place.line, place.column), end: position(place.end_line, place.end_column) };
        Some(Location { uri: uri.clone(), range })
    }
}
