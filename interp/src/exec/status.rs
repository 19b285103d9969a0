//! The status with which the program ends, as a finding. Whether it depends on the schedule is asked of other runs
//! elsewhere.

use crate::clock::ThreadId;
use crate::finding::{Action, FindingKind};
use crate::inputs::MadeUpInput;
use crate::machine::Machine;
use crate::run::RunEnd;
use crate::stack::Place;
use crate::thread::Frame;
use crate::unit::Scope;

/// Where the status is decided.
#[derive(Clone, Default, Debug)]
pub(crate) struct StatusPlace {
    /// Number of frames of the first thread up to that of the program's own `main`, once there is a second thread; else
    /// 0.
    main_frames: usize,
    /// Where `main` returned, or where a thread asked for the end of the process.
    decided: Option<(ThreadId, Place)>,
    /// The last line on standard error, and the thread that printed it.
    line: Option<(ThreadId, Vec<u8>)>,
}

/// Maximum length of a line that is kept.
const LONGEST_LINE: usize = 1024;

impl StatusPlace {
    /// A thread prints to standard error, perhaps a part of a line.
    fn print(&mut self, thread: ThreadId, bytes: &[u8]) {
        let (of, line) = self.line.get_or_insert_with(|| (thread, Vec::new()));
        if *of != thread || line.ends_with(b"\n") {
            (*of, *line) = (thread, Vec::new());
        }
        line.extend_from_slice(bytes);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let start = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        line.drain(..start);
        let is_complete = line.ends_with(b"\n");
        line.truncate(LONGEST_LINE);
        if is_complete && !line.ends_with(b"\n") {
            line.push(b'\n');
        }
    }

    /// The last line on standard error, if a thread printed it.
    fn line_of(&self, thread: ThreadId) -> Option<String> {
        let (_, line) = self.line.as_ref().filter(|(of, _)| *of == thread)?;
        let text = String::from_utf8_lossy(line).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

impl Machine<'_> {
    /// A second thread is about to start.
    pub(crate) fn find_main(&mut self) {
        if self.concurrent {
            return;
        }
        let is_own = |frame: &Frame| frame.activations().any(|it| it.flags.is_local);
        let main = self.threads.first().and_then(|thread| thread.frames.iter().position(is_own));
        // What starts the process is std's. A function of the program without it returns a number, no status.
        self.status.main_frames = main.filter(|index| *index > 0).map_or(0, |index| index + 1);
    }

    /// Whether the frame of `main` is the current one.
    #[inline]
    pub(crate) fn is_in_main_frame(&self) -> bool {
        self.current == 0 && self.threads[0].frames.len() == self.status.main_frames
    }

    /// A function returns whose frame is the one that contains `main`.
    #[cold]
    pub(crate) fn note_main_frame(&mut self) {
        self.save_pc();
        let outermost = self.threads[0].frames.last().and_then(|frame| frame.activations().last());
        if outermost.is_some_and(|it| it.flags.is_local) {
            self.note_end();
        }
    }

    /// The same for an inlined call.
    #[cold]
    pub(crate) fn note_main_scope(&mut self, scope: &Scope) {
        self.save_pc();
        let frame = self.threads[0].frames.last();
        let own = frame.map_or(0, |frame| frame.activations().filter(|it| it.flags.is_local).count());
        if own == 1 && scope.flags.is_local {
            self.note_end();
        }
    }

    /// The current thread decides here with which status the program ends.
    pub(crate) fn note_end(&mut self) {
        if self.concurrent && self.process == self.threads[0].process {
            self.status.decided = Some((self.thread_id(), self.place()));
        }
    }

    /// The current thread prints to standard error; `None` is what is not known.
    pub(crate) fn print_error(&mut self, bytes: Option<&[u8]>) {
        if self.process != self.threads[0].process {
            return;
        }
        let thread = self.thread_id();
        match bytes {
            Some(bytes) => self.status.print(thread, bytes),
            None => self.status.line = None,
        }
    }

    /// At the end of the run: reports a status that is not 0. After a data race it may follow from that; what came from
    /// outside, such as a signal, comes at another moment in another schedule.
    pub(crate) fn report_status(&mut self, end: &RunEnd) {
        let status = match *end {
            // That of a panic is std's.
            RunEnd::Returned(status) if self.payload.is_none() => status as i32,
            RunEnd::Exited(status) => status,
            _ => return,
        };
        let Some((thread, place)) = self.status.decided.filter(|_| status & 0xff != 0) else { return };
        let is_outside = |it: &MadeUpInput| {
            use MadeUpInput::{SecondProgram, Signal, Stream};
            matches!(it, Signal(_) | Stream(_) | SecondProgram(_))
        };
        if self.has_raced() || self.inputs.given.iter().any(is_outside) {
            return;
        }
        let event = self.event(thread, Action::Exits { status }, place);
        let trace = self.steps_with_accesses(None, &event);
        let message = self.status.line_of(thread);
        self.report_with(FindingKind::EntryFailed, vec![event], trace);
        if let Some(finding) = self.findings.last_mut().filter(|it| it.kind == FindingKind::EntryFailed) {
            finding.message = message;
        }
    }
}
