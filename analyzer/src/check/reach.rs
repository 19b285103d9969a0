//! How far runs came with each synchronisation site, and why not further.

use super::reachable_sites::ReachableSites;
use crate::{
    call_graph::ReachedBodies,
    guard,
    ir::Site,
    project::{EntryPoint, Project},
    report::{
        BoundReached, PairCounts,
        reach::{LeftOutBody, PairsOfEntry, Reach, SiteReach, SwitchedOff, WhyNot},
    },
    sites::BodySite,
};
use indexmap::{IndexMap, IndexSet};
use ra_ap_base_db::Crate;
use ra_ap_hir_def::nameres::diagnostics::DefDiagnosticKind;
use ra_ap_hir_expand::InFile;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// Functions whose call would change something, at most.
const MAX_CALLS: usize = 3;

/// Words of code that probably synchronises.
const TELLING: &[&str] = &[".await", ".lock(", "spawn(", ".recv(", "fetch_", "compare_exchange"];

/// How far the runs of an entry came.
pub(super) struct EntryReach {
    pub(super) point: EntryPoint,
    pub(super) reached: Vec<(BodySite, bool)>,
    /// Sites that runs reached only behind a deadlock or a panic.
    pub(super) behind: FxHashSet<BodySite>,
    /// How runs ended before the program's own end, with their number.
    pub(super) ends: Vec<(String, u32)>,
    pub(super) runs: u32,
    pub(super) pairs: PairCounts,
}

impl EntryReach {
    fn ends(&self) -> Vec<BoundReached> {
        let mut ends: Vec<BoundReached> = self
            .ends
            .iter()
            .map(|(reason, schedules)| BoundReached { reason: reason.clone(), schedules: *schedules })
            .collect();
        ends.sort_by_key(|end| std::cmp::Reverse(end.schedules));
        ends
    }
}

/// How far the entries of a package came.
pub(super) fn of_package(project: &Project, reachable_sites: &ReachableSites, entries: &[EntryReach]) -> Reach {
    let crates: IndexSet<Crate, FxBuildHasher> =
        entries.iter().flat_map(|entry| project.local_crates_of(&entry.point)).collect();
    let mut left_out: Vec<LeftOutBody> = reachable_sites
        .sites
        .left_out()
        .iter()
        .filter_map(|def| {
            let location = project.location_of(*def, Site::None)?;
            Some(LeftOutBody { location, function: project.body_name(*def) })
        })
        .collect();
    left_out.sort();
    left_out.dedup();
    let pairs = entries.iter().filter(|entry| entry.pairs.all > 0);
    let pairs = pairs.map(|entry| PairsOfEntry { entry: entry.point.entry_name(), pairs: entry.pairs }).collect();
    let switched_off = switched_off(project, crates);
    Reach { sites: sites(project, reachable_sites, entries), left_out, switched_off, pairs }
}

fn sites(project: &Project, reachable_sites: &ReachableSites, entries: &[EntryReach]) -> Vec<SiteReach> {
    // For each site: how many entries reached it, how many concurrently, the first entry and whether it did.
    let mut reached: IndexMap<usize, (usize, usize, usize, bool), FxBuildHasher> = IndexMap::default();
    for (index, entry) in entries.iter().enumerate() {
        let mut own: IndexMap<usize, bool, FxBuildHasher> = IndexMap::default();
        for (site, concurrent) in &entry.reached {
            if let Some(number) = reachable_sites.sites.number(site) {
                *own.entry(number).or_default() |= concurrent;
            }
        }
        for (number, concurrent) in own {
            let known = reached.entry(number).or_insert((0, 0, index, concurrent));
            known.0 += 1;
            known.1 += usize::from(concurrent);
            if concurrent && !known.3 {
                (known.2, known.3) = (index, true);
            }
        }
    }
    let ways = Ways::new(project, reachable_sites, entries);
    let mut known: IndexMap<usize, Vec<BodySite>, FxBuildHasher> = IndexMap::default();
    for (site, number) in reachable_sites.sites.all() {
        known.entry(number).or_default().push(site);
    }
    let mut found: Vec<SiteReach> = known
        .into_iter()
        .filter_map(|(number, places)| {
            let (def, site) = *places.first()?;
            let (of, beside, first, _) = reached.get(&number).copied().unwrap_or_default();
            Some(SiteReach {
                kind: reachable_sites.sites.kind(number)?,
                location: project.location_of(def, site)?,
                function: project.body_name(def),
                reached: of,
                concurrent: beside,
                entry: (of > 0).then(|| entries[first].point.entry_name()),
                why_not: (of == 0).then(|| ways.why_not(&places)),
            })
        })
        .collect();
    found.sort_by(|one, other| (&one.location, one.kind).cmp(&(&other.location, other.kind)));
    found
}

/// The ways from entries to bodies.
struct Ways<'a> {
    project: &'a Project,
    reachable_sites: &'a ReachableSites,
    entries: &'a [EntryReach],
    reached: Vec<ReachedBodies>,
    callers: FxHashMap<usize, Vec<usize>>,
}

impl<'a> Ways<'a> {
    fn new(project: &'a Project, reachable_sites: &'a ReachableSites, entries: &'a [EntryReach]) -> Ways<'a> {
        let graph = &reachable_sites.graph;
        let reached = entries.iter().map(|entry| graph.reached(project, &entry.point)).collect();
        Ways { project, reachable_sites, entries, reached, callers: graph.callers() }
    }

    /// Why no run reached a site in these bodies, which are the same source.
    fn why_not(&self, places: &[BodySite]) -> WhyNot {
        let reaches_behind = |entry: &&EntryReach| places.iter().any(|place| entry.behind.contains(place));
        if let Some(entry) = self.entries.iter().find(reaches_behind) {
            return WhyNot::Behind { entry: entry.point.entry_name() };
        }
        let nodes: Vec<usize> =
            places.iter().filter_map(|(def, _)| self.reachable_sites.graph.index_of(*def)).collect();
        let nearest = self.reached.iter().enumerate().flat_map(|(entry, reached)| {
            let here = nodes.iter().filter_map(|node| Some((self.way(reached, *node)?, *node)));
            here.map(move |(way, node)| (way.len(), entry, way, node)).collect::<Vec<_>>()
        });
        let Some((_, entry, way, _)) = nearest.min_by_key(|(length, entry, ..)| (*length, *entry)) else {
            return WhyNot::NotCalled { call: self.uncalled(&nodes) };
        };
        let (at, ends, schedules) = (&self.entries[entry], self.entries[entry].ends(), self.entries[entry].runs);
        let is_entered = |node: &&usize| self.reachable_sites.entered.contains(&self.reachable_sites.graph.def(**node));
        let name = |node: usize| self.project.body_name(self.reachable_sites.graph.def(node));
        let entered = way.iter().rposition(|node| is_entered(&node));
        match entered.map_or(0, |last| last + 1) {
            next if next == way.len() => WhyNot::NotInFunction { entry: at.point.entry_name(), ends, schedules },
            next => WhyNot::NotEntered {
                entry: at.point.entry_name(),
                last: entered.map(|last| name(way[last])),
                next: name(way[next]),
                ends,
                schedules,
            },
        }
    }

    /// The bodies on the way from an entry to one, both included.
    fn way(&self, reached: &ReachedBodies, to: usize) -> Option<Vec<usize>> {
        let mut way = vec![to];
        let mut by = *reached.get(&to)?;
        while let Some(node) = by {
            way.push(node);
            by = reached.get(&node).copied().flatten();
        }
        way.reverse();
        Some(way)
    }

    /// Functions that lead to these and that nothing calls, the nearest first; these themselves if there are none.
    fn uncalled(&self, nodes: &[usize]) -> Vec<String> {
        let mut found: IndexSet<usize, FxBuildHasher> = nodes.iter().copied().collect();
        let mut roots: IndexSet<String, FxBuildHasher> = IndexSet::default();
        let mut next = 0;
        while let Some(node) = found.get_index(next).copied() {
            next += 1;
            match self.callers.get(&node) {
                Some(callers) => found.extend(callers.iter().copied()),
                None => drop(roots.insert(self.project.body_name(self.reachable_sites.graph.def(node)))),
            }
        }
        if roots.is_empty() {
            roots.extend(nodes.iter().map(|node| self.project.body_name(self.reachable_sites.graph.def(*node))));
        }
        roots.into_iter().take(MAX_CALLS).collect()
    }
}

/// Items that a cfg switches off and that probably synchronise.
fn switched_off(project: &Project, crates: impl IntoIterator<Item = Crate>) -> Vec<SwitchedOff> {
    let db = project.db();
    let mut found = Vec::new();
    for krate in crates {
        let of_crate = guard::caught(db, || {
            let mut found = Vec::new();
            for diagnostic in ra_ap_hir::crate_def_map(db, krate).diagnostics() {
                let DefDiagnosticKind::UnconfiguredCode { ast_id, cfg, .. } = &diagnostic.kind else { continue };
                let range = InFile::new(ast_id.file_id, ast_id.to_range(db)).original_node_file_range_rooted(db);
                let file = range.file_id.file_id(db);
                let text = project.file_text(file);
                let text = text.get(usize::from(range.range.start())..usize::from(range.range.end()));
                if text.is_some_and(|text| TELLING.iter().any(|it| text.contains(it))) {
                    let mut location = project.locate(file, range.range);
                    (location.end_line, location.end_column) = (location.line, location.column);
                    found.push(SwitchedOff { location, cfg: cfg.to_string() });
                }
            }
            found
        });
        found.extend(of_crate.unwrap_or_default());
    }
    // A crate under test has them.
    found.retain(|it| it.cfg != "test");
    found.sort();
    found.dedup();
    found
}
