//! A second program of the workspace, which somebody outside starts beside the entry's (decision 33).
//!
//! A server and its client are often two programs, or two modes of one. Each alone meets only made-up peers, which do not
//! know its protocol. So the client of a listener may be a program of the workspace: a process of its own, with its own
//! made-up inputs.

use crate::files::HOME;
use crate::inputs::{MadeUpInput, MadeUpPath};
use crate::machine::{Machine, Stop};
use crate::process::{OUTSIDE, Process, ProcessState};
use crate::rng::Rng;

/// The folder in which it mostly starts: somebody else's, with other files.
const FOLDER: &[u8] = b"/home/guest";
/// Added to the run's seed for its inputs.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// The random numbers for whether it has the options of the entry.
const OPTIONS: u64 = 1;

impl Machine<'_> {
    /// Whether a program may be started beside the entry's: the entry is a program itself, it is the only one yet, and
    /// there is another one, or its command line or a file may have told it to do something else.
    pub(in crate::models) fn may_have_second_program(&mut self) -> bool {
        let programs = self.host.programs();
        let is_program = programs.known.iter().any(|it| **it == *programs.own);
        let is_mode = |it: &MadeUpInput| match it {
            MadeUpInput::Args(_) | MadeUpInput::Option(..) => true,
            MadeUpInput::Path(_, there) => matches!(there, MadeUpPath::File(Some(_))),
            _ => false,
        };
        let has_other_role = programs.known.len() > 1 || self.inputs.given.iter().any(is_mode);
        is_program && self.process == 0 && self.processes.len() <= 1 && has_other_role
    }

    /// Starts one of the known programs.
    pub(in crate::models) fn start_second_program(&mut self) -> Result<(), Stop> {
        self.note_first_process();
        let (second, token) = (self.processes.len(), self.file_token());
        let programs = self.host.programs();
        let known = programs.known;
        // A server's client is mostly another program, if there is another.
        let others = known.iter().enumerate().filter(|(_, name)| ***name != *programs.own);
        let others: Vec<usize> = others.map(|(number, _)| number).collect();
        let (number, is_elsewhere, has_same_variables) = self.choose(|inputs, chooser| {
            let mut rng = chooser.program(token);
            let number = match others.is_empty() || rng.chance(1, 4) {
                true => rng.index(known.len()),
                false => others.get(rng.index(others.len())).copied().unwrap_or_default(),
            };
            inputs.given.extend(known.get(number).map(|it| MadeUpInput::SecondProgram(it.to_vec())));
            (number, rng.chance(3, 4), rng.chance(3, 4))
        });
        let program = known.get(number).map(|it| it.to_vec()).unwrap_or_default();
        let folder = if is_elsewhere { FOLDER } else { HOME };
        self.files.tree.settle_folder(folder);
        let descriptors = self.files.table.standard();
        // Mostly the same user starts both. Variables with which the entry's program has come this far do not end it.
        let (variables, is_complete) = match has_same_variables {
            true => (self.inputs.variables.clone(), self.inputs.is_complete),
            false => Default::default(),
        };
        let folder = folder.to_vec();
        let state = ProcessState { folder, descriptors, variables, is_complete, ..ProcessState::default() };
        let (parent, given) = (OUTSIDE, Default::default());
        self.processes.push(Process {
            parent,
            main: None,
            program,
            given,
            status: None,
            is_waited_for: false,
            token,
            state,
        });
        let before = self.enter_process(second);
        let begun = self.begin_program(number, None);
        self.enter_process(before);
        // It begins as the entry did, and both together have twice as much to do. Signals come after that.
        let beginning = if self.in_beginning { self.steps } else { self.beginning };
        let more = beginning.saturating_add(self.config.max_steps);
        self.last_step = self.last_step.saturating_add(more);
        self.os.coming.delay(more);
        begun
    }

    /// The seeds of the current process's inputs: of those that are made up once, and of those that are the same
    /// whenever they are asked for. In half of all runs the second program is called with the options of the entry.
    pub(in crate::models) fn input_seeds(&self) -> (u64, u64) {
        if !self.is_second_program(self.process) {
            return (self.input_seed, self.config.seed);
        }
        // It begins when schedules differ already.
        let seed = self.input_seed ^ SEED;
        let has_same_options = Rng::with_stream(seed, OPTIONS).chance(1, 2);
        (seed, if has_same_options { self.config.seed } else { seed })
    }
}
