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
pub fn summary(name: &str, explored: &Explored) -> String {
    let bugs = match explored.diagnostics.len() {
        0 => "no bug found".to_owned(),
        n => count(n, "bug"),
    };
    let (sites, concurrent) = explored.reached;
    let mut text = format!(
        "{name}: {bugs}. 1 entry (main), {}, {} steps\n      reached {}, {concurrent} with another thread running",
        count(explored.runs as usize, "schedule"),
        explored.steps,
        count(sites, "synchronisation site"),
    );
    for (why, runs) in &explored.cut_short {
        text.push_str(&format!("\n      {why} ({runs} of {})", count(explored.runs as usize, "schedule")));
    }
    if explored.elsewhere > 0 {
        text.push_str(&format!("\n      {} in dependencies, not shown", count(explored.elsewhere, "finding")));
    }
    if explored.possible > 0 {
        let findings = count(explored.possible, "finding");
        text.push_str(&format!("\n      {findings} not shown: they rest on what was not understood"));
    }
    if let Some(unknown) = &explored.uninterpreted {
        text.push_str(&format!("\n      {}", uninterpreted(unknown)));
    }
    text
}

/// `1 bug`, `2 bugs`.
fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
