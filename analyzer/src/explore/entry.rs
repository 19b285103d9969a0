//! A program that is run again and again, and what people call the things in it.

use crate::{
    explore::Uninterpreted,
    instance::program::Program,
    naming::Naming,
    project::{Binary, Place, Project},
    rules::{Name, Names, Release},
    sites::{SitePlace, Sites},
};
use interp::{
    finding::StackEntry,
    host::Host,
    ir::{FnId, GlobalId, Site},
    outside::Outside,
    run::{self, Bound, Config, RunEnd, RunOutcome, Session},
    sched::Scheduler,
    term::Origin,
};
use ra_ap_base_db::Crate;
use ra_ap_hir_def::FunctionId;

/// Output of runs that nobody watches.
pub(super) struct Silent;

impl Outside for Silent {
    fn write(&mut self, _fd: i32, _bytes: &[u8]) {}
}

/// A program ready to be run again and again.
pub(super) struct Entry<'db> {
    project: &'db Project,
    program: Program<'db>,
    session: Session,
    start: FnId,
}

impl<'db> Entry<'db> {
    pub(super) fn new(project: &'db Project, binary: &Binary) -> Self {
        let krate: Crate = binary.krate.into();
        let mut program = Program::new(project.db(), krate, project, project);
        let start = program.process(binary.main);
        Entry { project, program, session: Session::new(), start }
    }

    /// Goes on with another function of the same crate.
    pub(super) fn start_at(&mut self, main: FunctionId) {
        self.start = self.program.process(main);
    }

    pub(super) fn with_real_bodies(project: &'db Project, binary: &Binary) -> Self {
        Entry { session: Session::with_real_bodies(), ..Entry::new(project, binary) }
    }

    pub(super) fn unoptimised(project: &'db Project, binary: &Binary) -> Self {
        let mut entry = Entry { session: Session::inlining_after(0), ..Entry::new(project, binary) };
        entry.program.optimises = false;
        entry
    }

    pub(super) fn fast_bodies(&self) -> Vec<&'static str> {
        self.program.fast_bodies()
    }

    pub(super) fn run(
        &mut self,
        config: &Config,
        scheduler: &mut dyn Scheduler,
        outside: &mut dyn Outside,
    ) -> RunOutcome {
        run::run(&mut self.session, &mut self.program, self.start, &[], config, scheduler, outside)
    }

    /// What people have to know of a run's end; nothing of one that came to its own, or whose end is a finding.
    pub(super) fn left_out(&mut self, outcome: &RunOutcome) -> Option<String> {
        match &outcome.end {
            RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Cancelled => None,
            RunEnd::Panicked => Some("ended by a panic".to_owned()),
            RunEnd::Aborted => Some("ended by an abort".to_owned()),
            RunEnd::Deadlock if !outcome.findings.is_empty() => None,
            end => Some(format!("not followed to the end: {}", self.end_text(end))),
        }
    }

    pub(super) fn end_text(&mut self, end: &RunEnd) -> String {
        match end {
            RunEnd::Fault { fault, func, site } => {
                let place = self.program.locate(*func, *site);
                let place = place.map_or_else(String::new, |it| format!(" at {}:{}:{}", it.file, it.line, it.column));
                let why = self.session.invalid().values().flatten().next();
                let why = why.map_or_else(String::new, |it| format!(" ({it})"));
                format!("{fault} in `{}`{place}{why}", self.program.code(*func).name)
            }
            RunEnd::Bound(Bound::Steps) => "the bound on steps".to_owned(),
            RunEnd::Bound(Bound::Heap) => "the bound on heap memory".to_owned(),
            RunEnd::Bound(Bound::Stack) => "the bound on stack memory".to_owned(),
            RunEnd::Bound(Bound::Depth) => "the bound on the depth of calls".to_owned(),
            RunEnd::Bound(Bound::Threads) => "the bound on threads".to_owned(),
            RunEnd::Deadlock => "its threads wait for ever".to_owned(),
            RunEnd::NoTrapFn(trap) => format!("std's panic function for {trap:?} was not found"),
            RunEnd::UnknownCallee => "a call through a pointer that is not known".to_owned(),
            RunEnd::Cancelled => "cancelled".to_owned(),
            RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Panicked | RunEnd::Aborted => "its end".to_owned(),
        }
    }

    pub(super) fn uninterpreted(&mut self, outcome: &RunOutcome) -> Option<Uninterpreted> {
        let first = outcome.first_uninterpreted?;
        let cause = match first.origin {
            Origin::Unknown(cause) => self.program.cause(cause).to_string(),
            Origin::Input => "a value from outside the program".to_owned(),
            Origin::Uninit => "memory that was never written".to_owned(),
        };
        let place = self.place_of(first.func, first.site);
        Some(Uninterpreted { count: outcome.uninterpreted, place, cause })
    }

    fn naming(&self) -> Naming<'_, 'db> {
        Naming { project: self.project, program: &self.program }
    }

    /// The places of the workspace that synchronise.
    pub(super) fn all_sites(&self, binary: &Binary) -> Sites {
        Sites::of(self.project.db(), self.project.local_crates_of(binary))
    }

    /// The place of the source that a site of the machine's code stands for.
    pub(super) fn site(&self, func: FnId, site: Site) -> Option<SitePlace> {
        self.program.source_site(func, site)
    }

    fn place_of(&mut self, func: FnId, site: Site) -> Option<Place> {
        let (owner, site) = self.program.source_site(func, site)?;
        self.project.place_of(owner, site)
    }
}

impl Names for Entry<'_> {
    fn place(&mut self, entry: &StackEntry) -> Option<Place> {
        let (owner, site) = self.program.source_site(entry.func, entry.site)?;
        self.project.operation_at(owner, site)
    }

    fn function(&mut self, entry: &StackEntry) -> String {
        self.program.code(entry.func).name.to_string()
    }

    fn global(&mut self, id: GlobalId) -> Option<String> {
        let global = self.program.global(id);
        global.is_static.then(|| global.name.to_string())
    }

    fn object(&mut self, stack: &[StackEntry], started: &[StackEntry]) -> Option<Name> {
        self.naming().object(stack, started)
    }

    fn kept_to(&mut self, stack: &[StackEntry]) -> Option<u32> {
        self.naming().kept_to(stack)
    }

    fn release(&mut self, taken: &[StackEntry], waits: &[StackEntry]) -> Option<Release> {
        self.naming().release(taken, waits)
    }
}
