//! Starting processes: `posix_spawn`, and `exec` in place of the own program.

use super::programs::Found;
use crate::clock::ThreadId;
use crate::files::errno::{EBADF, EINVAL, ENOENT, ENOTDIR};
use crate::files::open::O_CLOEXEC;
use crate::files::path;
use crate::inputs::ExpectedPath;
use crate::machine::{Flow, Machine, Stop};
use crate::memory::AllocKind;
use crate::models::files::{Answer, NoResult};
use crate::models::{Call, Outcome};
use crate::os::SpawnAction;
use crate::process::{Process, ProcessState, ProgramArgs, Variable};
use crate::run::Bound;
use crate::sched::PointKind;
use crate::thread::{FrameKind, Thread};
use crate::trace::TraceEvent;
use std::collections::BTreeMap;

impl Call<'_, '_> {
    /// The texts of a null-terminated array.
    fn texts(&mut self, array: u64) -> Result<Vec<Vec<u8>>, NoResult> {
        let mut texts = Vec::new();
        if array == 0 {
            return Ok(texts);
        }
        loop {
            let at = array.wrapping_add(8 * texts.len() as u64);
            let (index, offset) = self.machine.memory.readable(at, 8)?;
            if self.machine.term_at((index, offset), 8).is_some() {
                return Err(NoResult::Unknown);
            }
            match self.machine.memory.get(index, offset, 8) {
                0 => return Ok(texts),
                text => texts.push(self.c_string_at(text)?.ok_or(NoResult::Unknown)?),
            }
        }
    }

    fn given(&mut self, args: u64, variables: u64) -> Result<ProgramArgs, NoResult> {
        let args = self.texts(args)?;
        let variables = match variables {
            0 => None,
            array => {
                let lines = self.texts(array)?.into_iter();
                let pair = |line: Vec<u8>| {
                    let at = line.iter().position(|byte| *byte == b'=')?;
                    Some((line.get(..at)?.to_vec(), line.get(at + 1..)?.to_vec()))
                };
                Some(lines.filter_map(pair).collect())
            }
        };
        Ok(ProgramArgs { args, variables })
    }

    /// The variable `PATH`, if it is known. Nobody makes one up.
    fn search_path(&mut self) -> Result<Option<Vec<u8>>, Stop> {
        self.machine.know_variables()?;
        let known = self.machine.inputs.variables.get(&b"PATH"[..]);
        Ok(known.and_then(|it| it.as_ref()).map(|(value, _)| value.clone()))
    }
}

impl Machine<'_> {
    /// Does what a child does before its program starts. The child is the current process.
    fn perform_actions(&mut self, actions: &[SpawnAction]) -> Result<(), NoResult> {
        for action in actions {
            match action {
                SpawnAction::Duplicate { from, to } if from == to => {
                    self.files.table.get(*from)?;
                    self.files.table.set_close_on_exec(*from, false);
                }
                SpawnAction::Duplicate { from, to } => {
                    let opened = self.files.table.get(*from)?;
                    if *to < 0 {
                        return Err(NoResult::Errno(EBADF));
                    }
                    if self.files.table.get(*to).is_ok() {
                        self.close(*to)?;
                    }
                    self.files.table.put_at(*to, opened, false);
                }
                // As in the C library, one that is not open is none of its business.
                SpawnAction::Close { descriptor } => {
                    if self.files.table.get(*descriptor).is_ok() {
                        self.close(*descriptor)?;
                    }
                }
                SpawnAction::Open { descriptor, path, flags, mode } => {
                    let path = path::normal(&self.files.current, path);
                    let opened = self.open_path(path, *flags, *mode)?;
                    if self.files.table.get(*descriptor).is_ok() {
                        self.close(*descriptor)?;
                    }
                    self.files.table.put_at(*descriptor, opened, flags & O_CLOEXEC != 0);
                }
                SpawnAction::Enter { path } => {
                    if path.is_empty() {
                        return Err(NoResult::Errno(ENOENT));
                    }
                    let path = path::normal(&self.files.current, path);
                    let path = self.files.tree.resolve(path, true)?;
                    let node = self.look(&path, ExpectedPath::Folder)?;
                    if !self.files.tree.is_folder(node) {
                        return Err(NoResult::Errno(ENOTDIR));
                    }
                    self.files.current = path;
                }
            }
        }
        Ok(())
    }

    /// Makes the current process, which has no threads, run a program from its start. What it is given is made up if
    /// that is `None`.
    pub(super) fn begin_program(&mut self, index: usize, given: Option<ProgramArgs>) -> Result<(), Stop> {
        let Some(entry) = self.host.program(index) else { return Err(Stop::UnknownCallee) };
        if self.threads.len() >= self.config.max_threads {
            return Err(Stop::Bound(Bound::Threads));
        }
        self.close_all(self.files.table.closed_on_exec());
        // Programs do not inherit handlers, but that a signal is ignored.
        self.os.signals.replace_program();
        self.forget_statics();
        self.inputs.args = match &given {
            Some(given) => Some((given.args.len() as u64, self.c_strings(&given.args)?)),
            None => None,
        };
        if let Some(variables) = given.and_then(|it| it.variables) {
            let mut known: BTreeMap<Vec<u8>, Variable> = BTreeMap::new();
            for (name, value) in variables {
                let copy = self.c_string(&value)?;
                known.insert(name, Some((value, copy)));
            }
            (self.inputs.variables, self.inputs.is_complete) = (known, true);
        }
        let place = self.place();
        let stack = self.memory.allocate(0, AllocKind::Stack)?;
        let (starter, main) = (self.current, self.threads.len());
        let process = self.process;
        self.trace_event(TraceEvent::Starts { thread: ThreadId(main as u32) });
        self.order.on_spawn(ThreadId(starter as u32));
        let mut thread = Thread::new(stack, Some(place), process);
        // A program that replaces another one blocks what that did. A child blocks nothing: std sees to that.
        if let Some(before) = self.threads.get(starter).filter(|it| it.process == process) {
            (thread.blocked, thread.pending) = (before.blocked, before.pending);
        }
        let program = self.processes.get(process).map(|it| it.program.clone()).unwrap_or_default();
        let name = path::name(&program);
        thread.name = Some(format!("main of {}", String::from_utf8_lossy(name)).into());
        self.threads.push(thread);
        if let Some(record) = self.processes.get_mut(process) {
            record.main = Some(ThreadId(main as u32));
        }
        self.current = main;
        let started = self.invoke(entry, &[], FrameKind::Root);
        self.current = starter;
        self.reload();
        started.map(drop)
    }

    /// The statics of a program that starts: constants keep their addresses.
    fn forget_statics(&mut self) {
        let mut kept = crate::table::Table::default();
        for (number, state) in self.globals.entries() {
            let global = self.host.global(crate::ir::GlobalId(number));
            if !global.is_static || global.thread_local {
                kept.insert(number, *state);
            }
        }
        self.globals = kept;
    }

    /// Starts a child of the current process.
    fn start_child(
        &mut self,
        name: &[u8],
        searched: Option<&[u8]>,
        actions: &[SpawnAction],
        given: ProgramArgs,
    ) -> Result<usize, NoResult> {
        self.note_first_process();
        let (parent, child) = (self.process, self.processes.len());
        let token = self.file_token();
        let state = ProcessState {
            globals: self.globals.clone(),
            args: None,
            variables: self.inputs.variables.clone(),
            is_complete: self.inputs.is_complete,
            folder: self.files.current.clone(),
            descriptors: self.files.table.inherited(),
            signals: self.os.signals.inherited(),
        };
        let (program, given_outside) = (Vec::new(), ProgramArgs::default());
        let record = Process {
            parent,
            main: None,
            program,
            given: given_outside,
            status: None,
            is_waited_for: false,
            token,
            state,
        };
        self.processes.push(record);
        self.enter_process(child);
        let started = self.start_in_child(child, name, searched, actions, given);
        if started.is_err() {
            self.close_all(self.files.table.all());
        }
        self.enter_process(parent);
        match started {
            Ok(()) => Ok(child),
            Err(no) => {
                self.processes.truncate(child);
                Err(no)
            }
        }
    }

    fn start_in_child(
        &mut self,
        child: usize,
        name: &[u8],
        searched: Option<&[u8]>,
        actions: &[SpawnAction],
        given: ProgramArgs,
    ) -> Result<(), NoResult> {
        self.perform_actions(actions)?;
        let Found { path, index } = self.find_program(name, searched)?;
        if let Some(record) = self.processes.get_mut(child) {
            record.program = path;
        }
        match index {
            Some(index) => Ok(self.begin_program(index, Some(given))?),
            None => {
                if let Some(record) = self.processes.get_mut(child) {
                    record.given = given;
                }
                self.begin_outside(child);
                Ok(())
            }
        }
    }
}

/// `posix_spawnp(&number, name, actions, attributes, arguments, variables)`: returns the error. `posix_spawn` too: a
/// path is not searched for.
pub(in crate::models) fn posix_spawn(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.direct(|call| {
        let (number, name) = (call.arg(0)?, call.text(1)?);
        let given = (call.arg(4)?, call.arg(5)?);
        let given = call.given(given.0, given.1)?;
        let actions = match call.arg(2)? {
            0 => Vec::new(),
            at => call.machine.os.actions.get(&at).cloned().unwrap_or_default(),
        };
        let searched = call.search_path()?;
        let child = call.machine.start_child(&name, searched.as_deref(), &actions, given)?;
        if number != 0 {
            call.machine.store_word(number, 4, Machine::number_of(child) as u64)?;
        }
        Ok(0)
    })
}

/// `execvpe(name, arguments, variables)`: ends the own program.
pub(in crate::models) fn exec(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let mut is_started = false;
    let outcome = call.system(|call| {
        let name = call.text(0)?;
        let (args, variables) = (call.arg(1)?, if call.code.params.len() > 2 { call.arg(2)? } else { 0 });
        let given = call.given(args, variables)?;
        let searched = match given.variables.as_ref() {
            Some(variables) => variables.iter().find(|it| it.0 == b"PATH").map(|it| it.1.clone()),
            None => call.search_path()?,
        };
        let Found { path, index } = call.machine.find_program(&name, searched.as_deref())?;
        let Some(index) = index else { return Err(NoResult::Unknown) };
        call.machine.note_first_process();
        let process = call.machine.process;
        if let Some(record) = call.machine.processes.get_mut(process) {
            record.program = path;
        }
        let old = call.machine.threads.len();
        call.machine.begin_program(index, Some(given))?;
        call.machine.end_older_threads(process, old);
        is_started = true;
        Ok(0)
    })?;
    Ok(if is_started { Outcome::Entered(Flow::Switch(PointKind::ThreadEnd)) } else { outcome })
}

impl Call<'_, '_> {
    /// Like [`Call::system`], for calls that return their error.
    pub(in crate::models) fn direct(&mut self, body: impl FnOnce(&mut Self) -> Answer) -> Result<Outcome, Stop> {
        self.system(|call| match body(call) {
            Err(NoResult::Errno(errno)) => Ok(errno as u64),
            answer => answer,
        })
    }

    fn add_action(&mut self, action: SpawnAction) -> Answer {
        let at = self.arg(0)?;
        self.machine.os.actions.entry(at).or_default().push(action);
        Ok(0)
    }
}

/// `posix_spawn_file_actions_init(actions)`
pub(in crate::models) fn actions_init(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let at = call.arg(0)?;
    call.machine.os.actions.insert(at, Vec::new());
    call.ret(0);
    Ok(Outcome::Done)
}

/// `posix_spawn_file_actions_destroy(actions)`
pub(in crate::models) fn actions_destroy(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let at = call.arg(0)?;
    call.machine.os.actions.remove(&at);
    call.ret(0);
    Ok(Outcome::Done)
}

/// `posix_spawn_file_actions_adddup2(actions, from, to)`
pub(in crate::models) fn actions_add_dup2(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.direct(|call| {
        let (from, to) = (call.int(1)?, call.int(2)?);
        if from < 0 || to < 0 {
            return Err(NoResult::Errno(EBADF));
        }
        call.add_action(SpawnAction::Duplicate { from, to })
    })
}

/// `posix_spawn_file_actions_addclose(actions, descriptor)`
pub(in crate::models) fn actions_add_close(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.direct(|call| {
        let descriptor = call.int(1)?;
        call.add_action(SpawnAction::Close { descriptor })
    })
}

/// `posix_spawn_file_actions_addopen(actions, descriptor, path, flags, mode)`
pub(in crate::models) fn actions_add_open(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.direct(|call| {
        let (descriptor, path) = (call.int(1)?, call.text(2)?);
        let (flags, mode) = (call.arg(3)? as u32, call.arg(4)? as u32);
        if descriptor < 0 {
            return Err(NoResult::Errno(EINVAL));
        }
        call.add_action(SpawnAction::Open { descriptor, path, flags, mode })
    })
}

/// `posix_spawn_file_actions_addchdir_np(actions, path)`
pub(in crate::models) fn actions_add_chdir(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.direct(|call| {
        let path = call.text(1)?;
        call.add_action(SpawnAction::Enter { path })
    })
}
