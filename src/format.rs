//! Output formats, one file each.

use analyzer::{
    explore::{Explored, Uninterpreted},
    project::Place,
};

pub mod short;

/// `path:line:col`.
pub(crate) fn place(place: &Place) -> String {
    format!("{}:{}:{}", place.path, place.line, place.column)
}

/// `uninterpreted: N (first: path:line:col cause)`.
pub(crate) fn uninterpreted(it: &Uninterpreted) -> String {
    let at = it.place.as_ref().map_or_else(String::new, |it| format!("{} ", place(it)));
    format!("uninterpreted: {} (first: {at}{})", it.count, it.cause)
}

/// What was explored, in one or two lines: the denominator of a silent result.
pub(crate) fn summary(name: &str, explored: &Explored) -> String {
    let bugs = match explored.diagnostics.len() {
        0 => "no bug found".to_owned(),
        1 => "1 bug".to_owned(),
        n => format!("{n} bugs"),
    };
    let (sites, concurrent) = explored.reached;
    let mut text = format!(
        "{name}: {bugs}. 1 entry (main), {} schedule{}, {} steps\n      reached {sites} synchronisation sites, \
         {concurrent} with another thread running",
        explored.runs,
        if explored.runs == 1 { "" } else { "s" },
        explored.steps,
    );
    for (why, runs) in &explored.cut_short {
        text.push_str(&format!("\n      not followed to its end in {runs} of them: {why}"));
    }
    if explored.elsewhere > 0 {
        text.push_str(&format!("\n      {} findings in dependencies, not shown", explored.elsewhere));
    }
    if let Some(unknown) = &explored.uninterpreted {
        text.push_str(&format!("\n      {}", uninterpreted(unknown)));
    }
    text
}
