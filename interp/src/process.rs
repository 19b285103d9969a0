//! The processes of a run: the entry's, and the children that it starts (decision 33).
//!
//! All processes live in one address space of the machine: in a correct program no pointer goes from one to another.
//! What a process has of its own is in the machine while one of its threads is current, and in its record else. There
//! are no records before the first child, so programs without children pay nothing.

use crate::clock::ThreadId;
use crate::exec::global::GlobalState;
use crate::files::open::Descriptors;
use crate::machine::{Machine, Stop};
use crate::os::signals::{SIGABRT, SIGCHLD, Signals};
use crate::table::Table;
use crate::thread::{State, Thread, Wait};
use crate::trace::TraceEvent;
use std::collections::BTreeMap;

/// The number of a process in the machine. The entry's is 0.
pub(crate) type ProcessId = usize;

/// The parent of a process that somebody outside started.
pub(crate) const OUTSIDE: ProcessId = usize::MAX;

/// The system's number of the entry's process; the others follow. No program should depend on it.
pub(crate) const FIRST_NUMBER: i32 = 4242;

/// A variable of the environment: its value, and the address of a copy as a C string; `None` if it is not set.
pub(crate) type Variable = Option<(Vec<u8>, u64)>;

/// What a process does not share with others.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessState {
    /// Its statics and constants.
    pub(crate) globals: Table<GlobalState>,
    /// Number and address of its arguments.
    pub(crate) args: Option<(u64, u64)>,
    pub(crate) variables: BTreeMap<Vec<u8>, Variable>,
    /// Whether `variables` is complete.
    pub(crate) is_complete: bool,
    /// Its working folder.
    pub(crate) folder: Vec<u8>,
    pub(crate) descriptors: Descriptors,
    pub(crate) signals: Signals,
}

/// The arguments and variables of a new program; without variables it gets those of its starter.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramArgs {
    pub(crate) args: Vec<Vec<u8>>,
    pub(crate) variables: Option<Vec<(Vec<u8>, Vec<u8>)>>,
}

/// A process.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// The process that started it; [`OUTSIDE`] for a second program.
    pub(crate) parent: ProcessId,
    /// Its first thread; `None` if its program is outside.
    pub(crate) main: Option<ThreadId>,
    /// The path of its program.
    pub(crate) program: Vec<u8>,
    /// What it was given, if its program is outside.
    pub(crate) given: ProgramArgs,
    /// How it ended, in the form of `waitpid`.
    pub(crate) status: Option<i32>,
    /// Whether its parent knows how it ended.
    pub(crate) is_waited_for: bool,
    /// The key through which its end synchronises.
    pub(crate) token: u64,
    /// What it has of its own, unless it is current.
    pub(crate) state: ProcessState,
}

impl Machine<'_> {
    /// Makes the record of the entry's process before the first other one.
    pub(crate) fn note_first_process(&mut self) {
        if self.processes.is_empty() {
            let (token, program) = (self.sync.next_token(), self.host.programs().own.to_vec());
            self.processes.push(Process {
                parent: 0,
                main: Some(ThreadId::ENTRY),
                program,
                given: ProgramArgs::default(),
                status: None,
                is_waited_for: false,
                token,
                state: ProcessState::default(),
            });
        }
    }

    /// Makes a process the current one; returns the one before.
    pub(crate) fn enter_process(&mut self, process: ProcessId) -> ProcessId {
        let before = std::mem::replace(&mut self.process, process);
        if before != process {
            self.exchange(before);
            self.exchange(process);
        }
        before
    }

    /// Exchanges what a process has of its own between the machine and its record.
    fn exchange(&mut self, process: ProcessId) {
        use std::mem::swap;
        let Some(record) = self.processes.get_mut(process) else { return };
        let state = &mut record.state;
        swap(&mut state.globals, &mut self.globals);
        swap(&mut state.args, &mut self.inputs.args);
        swap(&mut state.variables, &mut self.inputs.variables);
        swap(&mut state.is_complete, &mut self.inputs.is_complete);
        swap(&mut state.folder, &mut self.files.current);
        swap(&mut state.descriptors, &mut self.files.table.descriptors);
        swap(&mut state.signals, &mut self.os.signals);
    }

    /// The statics of all processes, the current one's first.
    pub(crate) fn all_globals(&self) -> impl Iterator<Item = &Table<GlobalState>> {
        let others = self.processes.iter().enumerate().filter(|(index, _)| *index != self.process);
        std::iter::once(&self.globals).chain(others.map(|(_, process)| &process.state.globals))
    }

    /// Whether a process is a second program: somebody outside started it.
    pub(crate) fn is_second_program(&self, process: ProcessId) -> bool {
        self.processes.get(process).is_some_and(|it| it.parent == OUTSIDE)
    }

    /// Whether the current thread is the first of its process: its end is the end of the others.
    pub(crate) fn is_main_thread(&self) -> bool {
        match self.processes.get(self.process) {
            Some(process) => process.main == Some(self.thread_id()),
            None => self.thread_id() == ThreadId::ENTRY,
        }
    }

    /// What would end the run ends only the process that does it, unless it is the entry's.
    pub(crate) fn end_child(&mut self, stop: Stop) -> Result<(), Stop> {
        let status = match stop {
            _ if self.process == 0 => return Err(stop),
            Stop::Returned(code) => (code as i32 & 0xff) << 8,
            Stop::Exited(code) => (code & 0xff) << 8,
            Stop::Panicked | Stop::Aborted => SIGABRT,
            Stop::Killed(signal) => signal,
            other => return Err(other),
        };
        self.trace_event(TraceEvent::Ends { panicked: false });
        self.end_process(self.process, status)
    }

    /// Ends a process: its threads, its descriptors, the waits for it. Its parent gets a signal.
    pub(crate) fn end_process(&mut self, process: ProcessId, status: i32) -> Result<(), Stop> {
        let before = self.enter_process(process);
        self.end_threads(process);
        self.close_all(self.files.table.all());
        self.enter_process(before);
        let Some(record) = self.processes.get_mut(process) else { return Ok(()) };
        record.status = Some(status);
        let (token, parent) = (record.token, record.parent);
        self.publish_file(token);
        self.wake_all(|wait| matches!(wait, Wait::Child { .. }));
        self.process_ended(process);
        // It ends nothing.
        if parent == OUTSIDE { Ok(()) } else { self.post_to_process(parent, SIGCHLD).map(drop) }
    }

    /// Ends all threads of a process where they are.
    fn end_threads(&mut self, process: ProcessId) {
        self.end_threads_where(|thread, _| thread.process == process);
    }

    fn end_threads_where(&mut self, chosen: impl Fn(&Thread, usize) -> bool) {
        let threads = self.threads.iter_mut().enumerate();
        for (index, thread) in threads.filter(|(index, thread)| chosen(thread, *index)) {
            thread.state = State::Finished;
            thread.at_point = false;
            thread.frames.clear();
            thread.interrupted.clear();
            self.os.no_wait(index);
        }
    }

    /// Ends the threads of a process that were started before the one with this index.
    pub(crate) fn end_older_threads(&mut self, process: ProcessId, index: usize) {
        self.end_threads_where(|thread, at| thread.process == process && at < index);
    }

    /// A process of the system's number, if there is one.
    pub(crate) fn process_numbered(&self, number: i32) -> Option<ProcessId> {
        let process = usize::try_from(number.checked_sub(FIRST_NUMBER)?).ok()?;
        (process < self.processes.len().max(1)).then_some(process)
    }

    /// The system's number of a process.
    pub(crate) fn number_of(process: ProcessId) -> i32 {
        FIRST_NUMBER.saturating_add(i32::try_from(process).unwrap_or(i32::MAX))
    }
}
