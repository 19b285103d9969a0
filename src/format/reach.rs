//! How far runs came with each synchronisation site: as text, as `lcov` file, as JSON.

use super::count;
use analyzer::{
    Report, escape,
    project::{EntryKind, EntryName},
    report::{
        BoundReached, PackageReport, Reach,
        reach::{PairsOfEntry, SiteReach, WhyNot},
    },
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write as _};

/// The version of the JSON form. It changes when a field is removed or changes its meaning, not when one is added.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Json<'a> {
    version: u32,
    packages: Vec<JsonPackage<'a>>,
}

#[derive(Serialize)]
struct JsonPackage<'a> {
    name: &'a str,
    #[serde(flatten)]
    reach: &'a Reach,
}

fn packages(report: &Report) -> impl Iterator<Item = &PackageReport> {
    report.parts.iter().flat_map(|part| &part.packages)
}

/// One JSON object; `docs/reach.schema.json` describes it.
pub(crate) fn json(report: &Report) -> String {
    let packages = packages(report).map(|it| JsonPackage { name: &it.name, reach: &it.reach }).collect();
    // It has only numbers, texts and keys that are texts, so this cannot fail.
    let json = serde_json::to_string_pretty(&Json { version: VERSION, packages }).unwrap_or_default();
    escape::json(&json).into_owned() + "\n"
}

/// A tracefile of lcov. A line has as many hits as entries reached a site in it; each site is a block with two branches:
/// reached, and reached concurrently.
pub(crate) fn lcov(report: &Report) -> String {
    let mut files: BTreeMap<&str, BTreeMap<u32, Vec<&SiteReach>>> = BTreeMap::new();
    for site in packages(report).flat_map(|package| &package.reach.sites) {
        files.entry(&site.location.path).or_default().entry(site.location.line).or_default().push(site);
    }
    let mut text = String::new();
    for (path, lines) in files {
        let _ = writeln!(text, "TN:tsvd_check\nSF:{}", escape::line(path));
        let (mut branches, mut hit) = (0, 0);
        for (line, sites) in &lines {
            for (block, site) in sites.iter().enumerate() {
                for (branch, taken) in [site.reached, site.concurrent].into_iter().enumerate() {
                    let shown = if site.reached == 0 { "-".to_owned() } else { taken.to_string() };
                    let _ = writeln!(text, "BRDA:{line},{block},{branch},{shown}");
                    branches += 1;
                    hit += usize::from(taken > 0);
                }
            }
        }
        let _ = writeln!(text, "BRF:{branches}\nBRH:{hit}");
        let hits = |sites: &[&SiteReach]| sites.iter().map(|it| it.reached).max().unwrap_or_default();
        for (line, sites) in &lines {
            let _ = writeln!(text, "DA:{line},{}", hits(sites));
        }
        let reached = lines.values().filter(|sites| hits(sites) > 0).count();
        let _ = writeln!(text, "LF:{}\nLH:{reached}\nend_of_record", lines.len());
    }
    escape::text(&text).into_owned()
}

/// For people: the sum, the reasons, and each site.
pub(crate) fn text(report: &Report) -> String {
    let mut text = String::new();
    for package in packages(report) {
        if !text.is_empty() {
            text.push('\n');
        }
        of_package(&mut text, package);
    }
    escape::text(&text).into_owned()
}

fn of_package(text: &mut String, package: &PackageReport) {
    let sites = &package.reach.sites;
    let of = |number: usize| format!("{number} of {} ({} %)", sites.len(), number * 100 / sites.len().max(1));
    let reached = sites.iter().filter(|it| it.reached > 0).count();
    let concurrent = sites.iter().filter(|it| it.concurrent > 0).count();
    let name = escape::line(&package.name);
    if sites.is_empty() {
        let _ = writeln!(text, "{name}: nothing synchronises here");
    } else {
        let _ =
            writeln!(text, "{name}: reached {} synchronisation sites, {} concurrently", of(reached), of(concurrent));
    }
    let reasons = reasons(sites);
    if !reasons.is_empty() {
        let _ = writeln!(text, "\n{} not reached:", sites.len() - reached);
        let width = reasons.first().map_or(1, |(number, _)| number.to_string().len());
        for (index, (number, reason)) in reasons.iter().enumerate() {
            let _ = writeln!(text, "  {number:width$}  [{}] {reason}", index + 1);
        }
    }
    if concurrent < reached {
        let alone = reached - concurrent;
        let _ = writeln!(text, "\n{alone} never reached concurrently: races and deadlocks there cannot be found");
    }
    let mut file = "";
    for site in sites {
        if site.location.path != file {
            file = &site.location.path;
            let _ = writeln!(text, "\n{}", escape::line(file));
        }
        let place = format!("{}:{}", site.location.line, site.location.column);
        let _ = writeln!(text, "  {place:>8}  {:7}  {}", site.kind.name(), state(site, &reasons));
    }
    pairs(text, &package.reach.pairs);
    for body in &package.reach.left_out {
        let _ = writeln!(
            text,
            "\n{}: `{}` was skipped, with its synchronisation sites",
            body.location,
            escape::line(&body.function)
        );
    }
    for code in &package.reach.switched_off {
        let _ = writeln!(text, "\n{}: inactive code, it needs `cfg({})`", code.location, code.cfg);
    }
}

/// The pairs of calls that harnesses make from two threads: those of which the fewest were under way at once first.
fn pairs(text: &mut String, pairs: &[PairsOfEntry]) {
    if pairs.is_empty() {
        return;
    }
    let part = |it: &PairsOfEntry| it.pairs.overlapped * 1000 / it.pairs.all.max(1);
    let mut pairs: Vec<&PairsOfEntry> = pairs.iter().collect();
    pairs.sort_by_key(|it| part(it));
    let shown = |it: &PairsOfEntry| format!("{} of {}", it.pairs.overlapped, it.pairs.all);
    let width = pairs.iter().map(|it| shown(it).len()).max().unwrap_or_default();
    let _ = writeln!(text, "\npairs of calls at once, from two threads:");
    for it in pairs {
        let _ = writeln!(text, "  {:>width$}  `{}`", shown(it), escape::line(&it.entry.name));
    }
}

/// How far runs came with a site; reasons are named by their number.
fn state(site: &SiteReach, reasons: &[(usize, String)]) -> String {
    let by = site.entry.as_ref().map(|entry| format!("by {}", named(entry))).unwrap_or_default();
    let others = |number: usize| if number > 1 { format!(" and {} more", number - 1) } else { String::new() };
    match &site.why_not {
        Some(why_not) => {
            let reason = reason(site, why_not);
            let number = reasons.iter().position(|(_, known)| *known == reason).map_or(0, |index| index + 1);
            format!("not reached [{number}]")
        }
        None if site.concurrent > 0 => format!("concurrently, {by}{}", others(site.concurrent)),
        None => format!("reached, never concurrently, {by}{}", others(site.reached)),
    }
}

/// Why sites were not reached, and how many for each reason, the most frequent first.
fn reasons(sites: &[SiteReach]) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for site in sites {
        let Some(why_not) = &site.why_not else { continue };
        let reason = reason(site, why_not);
        match found.iter_mut().find(|(_, known)| *known == reason) {
            Some((number, _)) => *number += 1,
            None => found.push((1, reason)),
        }
    }
    found.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    found
}

fn reason(site: &SiteReach, why_not: &WhyNot) -> String {
    let reason = match why_not {
        WhyNot::NotCalled { call } => {
            let functions: Vec<String> = call.iter().map(|it| format!("`{it}`")).collect();
            format!("no entry reaches it; a test that calls {} would", functions.join(" or "))
        }
        WhyNot::NotEntered { entry, last, next, ends, schedules } => {
            let way = match last {
                Some(last) => format!("runs reach `{last}`, but not `{next}`, which it may call"),
                None => format!("no run enters `{next}`"),
            };
            format!("{}: {way}{}", named(entry), ended(ends, *schedules))
        }
        WhyNot::NotInFunction { entry, ends, schedules } => {
            format!(
                "{}: runs enter `{}`, but do not reach this point{}",
                named(entry),
                site.function,
                ended(ends, *schedules)
            )
        }
        WhyNot::Behind { entry } => {
            format!("{}: reached only behind a deadlock or a panic; only deadlocks are reported there", named(entry))
        }
    };
    escape::line(&reason).into_owned()
}

/// The most frequent way in which runs ended early.
fn ended(ends: &[BoundReached], schedules: u32) -> String {
    match ends.first() {
        Some(end) => format!("; {} ({} of {})", end.reason, end.schedules, count(schedules as usize, "schedule")),
        None => String::new(),
    }
}

fn named(entry: &EntryName) -> String {
    let name = escape::line(&entry.name);
    match entry.kind {
        EntryKind::Main => format!("program `{name}`"),
        EntryKind::Test => format!("test `{name}`"),
        EntryKind::Api => format!("public `{name}`"),
        EntryKind::Middle => format!("`{name}`, called directly"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analyzer::{project::Location, report::Part, std_models::sites::SiteKind};

    fn site(line: u32, reached: usize, concurrent: usize) -> SiteReach {
        let location = Location { path: "src/a.rs".to_owned(), line, column: 5, end_line: line, end_column: 9 };
        let entry = EntryName { kind: EntryKind::Test, name: "a::t".to_owned(), package: None, is_in_test: false };
        let why_not = (reached == 0).then(|| WhyNot::NotCalled { call: vec!["run".to_owned()] });
        let entry = (reached > 0).then_some(entry);
        SiteReach { kind: SiteKind::Lock, location, function: "f".to_owned(), reached, concurrent, entry, why_not }
    }

    fn report(sites: Vec<SiteReach>) -> Report {
        let package = PackageReport {
            name: "a".to_owned(),
            reach: Reach { sites, ..Reach::default() },
            ..PackageReport::default()
        };
        let part = Part { packages: vec![package], ..Part::default() };
        Report::of(part)
    }

    #[test]
    fn a_line_of_a_tracefile_has_two_branches_for_each_site() {
        let text = lcov(&report(vec![site(3, 2, 1), site(3, 0, 0), site(7, 1, 0)]));
        let expected = "TN:tsvd_check\nSF:src/a.rs\nBRDA:3,0,0,2\nBRDA:3,0,1,1\nBRDA:3,1,0,-\nBRDA:3,1,1,-\nBRDA:7,0,0,1\n\
                        BRDA:7,0,1,0\nBRF:6\nBRH:3\nDA:3,2\nDA:7,1\nLF:2\nLH:2\nend_of_record\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_person_sees_the_sum_then_the_reasons_then_each_site() {
        let shown = text(&report(vec![site(3, 2, 1), site(4, 1, 0), site(7, 0, 0), site(9, 0, 0)]));
        let expected = "a: reached 2 of 4 (50 %) synchronisation sites, 1 of 4 (25 %) concurrently\n\n\
            2 not reached:\n  2  [1] no entry reaches it; a test that calls `run` would\n\n\
            1 never reached concurrently: races and deadlocks there cannot be found\n\nsrc/a.rs\n\
            \u{20}      3:5  lock     concurrently, by test `a::t`\n\
            \u{20}      4:5  lock     reached, never concurrently, by test `a::t`\n\
            \u{20}      7:5  lock     not reached [1]\n\u{20}      9:5  lock     not reached [1]\n";
        assert_eq!(shown, expected);
        assert_eq!(text(&report(Vec::new())), "a: nothing synchronises here\n");
    }
}
