//! Programs outside that the run starts: they read what they are given, print something, and end. All of it is made up,
//! unless the environment knows it.

use crate::environment::{ProgramOutput, StartedProgram};
use crate::files::open::{CAPACITY, OpenObject};
use crate::inputs::{Chooser, MadeUpInput};
use crate::machine::{Machine, Stop};
use crate::models::files::NoResult;
use crate::os::ready::{READ, WRITE};
use crate::process::ProcessId;
use crate::rng::Rng;

/// The stream of random numbers for programs that the run starts.
const CHILDREN: u64 = 1 << 59;
/// Maximum number of lines that a program prints, and of texts in a line.
const LINES: u32 = 4;
const WORDS: u32 = 4;
/// How often a program waits for the rest of its input.
const ROUNDS: u32 = 3;

impl Chooser<'_> {
    /// The text that a program prints, and its status.
    fn child(&self, number: u64) -> (Vec<u8>, i32) {
        let mut rng = Rng::with_stream(self.seed, CHILDREN | number);
        let text = self.output(&mut rng);
        (text, if rng.chance(3, 4) { 0 } else { 1 })
    }

    /// The output of a made-up program: mostly lines of texts that the code which starts programs looks for.
    fn output(&self, rng: &mut Rng) -> Vec<u8> {
        let searched = &self.dictionary.searched;
        if searched.is_empty() || rng.chance(1, 4) {
            return self.text(rng);
        }
        let mut text = Vec::new();
        for _ in 0..=rng.below(LINES) {
            for _ in 0..=rng.below(WORDS) {
                text.extend(searched.get(rng.index(searched.len())).into_iter().flatten());
                text.push(b' ');
            }
            text.pop();
            text.push(b'\n');
        }
        text
    }
}

impl Machine<'_> {
    /// A child of which nothing is known has started.
    pub(super) fn begin_outside(&mut self, child: ProcessId) {
        let now = self.now;
        self.os.outside.begin_child(child, ROUNDS, now);
    }

    /// A child outside continues: it takes what there is of its input, and ends once it has all of it, or after a while.
    pub(in crate::models) fn continue_outside(&mut self, child: ProcessId, rounds: u32) -> Result<(), Stop> {
        if self.processes.get(child).is_none_or(|it| it.status.is_some()) {
            return Ok(());
        }
        let before = self.enter_process(child);
        let has_more = self.drain_input();
        if has_more && rounds > 0 {
            self.enter_process(before);
            let now = self.now;
            self.os.outside.begin_child(child, rounds - 1, now);
            return Ok(());
        }
        let known = self.processes.get(child).and_then(|it| {
            let (args, variables) = (&it.given.args, it.given.variables.as_deref());
            self.environment.program(&StartedProgram { path: &it.program, args, variables })
        });
        let (text, status) = match known {
            Some(ProgramOutput { text, status }) => (text, status),
            None => self.choose(|inputs, chooser| {
                let (text, status) = chooser.child(child as u64);
                inputs.given.push(MadeUpInput::Stream(text.clone()));
                (text, status)
            }),
        };
        match self.print(&text) {
            Ok(()) | Err(NoResult::Errno(_)) => {}
            Err(NoResult::Stop(stop)) => return Err(stop),
            Err(NoResult::Unknown | NoResult::Wait(..)) => {}
        }
        self.enter_process(before);
        self.end_process(child, status << 8)
    }

    /// Takes all bytes of standard input that are there; returns whether more may come.
    fn drain_input(&mut self) -> bool {
        let Ok(opened) = self.files.table.get(0) else { return false };
        let OpenObject::Pipe { pipe, .. } = self.files.table.opened(opened).what else { return false };
        let Ok(it) = self.files.table.pipe(pipe) else { return false };
        let (mut text, writers, writes_to) = (it.text, it.writers, it.ends[1]);
        if text.len > 0 {
            let all = text.len;
            self.drop_front(&mut text, all);
            if let Ok(it) = self.files.table.pipe_mut(pipe) {
                it.text = text;
            }
            self.changed(writes_to, WRITE);
        }
        writers > 0
    }

    /// Prints a text, if standard output is a pipe with room for it.
    fn print(&mut self, text: &[u8]) -> Result<(), NoResult> {
        let opened = self.files.table.get(1)?;
        let OpenObject::Pipe { pipe, .. } = self.files.table.opened(opened).what else { return Ok(()) };
        let it = self.files.table.pipe(pipe)?;
        let (mut own, readers, reads_from) = (it.text, it.readers, it.ends[0]);
        if readers == 0 || own.len + text.len() > CAPACITY || text.is_empty() {
            return Ok(());
        }
        let end = own.len;
        self.make_room(&mut own, end + text.len())?;
        if let Some(index) = own.index {
            self.memory.bytes_mut(index, end, text.len()).copy_from_slice(text);
            self.memory.clear_uninterpreted(index, end, text.len());
        }
        own.len = end + text.len();
        self.files.table.pipe_mut(pipe)?.text = own;
        self.changed(reads_from, READ);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Dictionary;

    #[test]
    fn programs_print_what_is_looked_for() {
        let searched = [&b"bytes from"[..], b"ttl="].map(Box::from);
        let dictionary = Dictionary { searched: searched.into(), ..Dictionary::default() };
        let child = |seed, number| Chooser { seed, first_seed: seed, dictionary: &dictionary }.child(number);
        let text = |seed| String::from_utf8(child(seed, 0).0).unwrap();
        assert!((0..20).any(|seed| text(seed).lines().any(|it| it == "bytes from ttl=")));
        assert!((0..100).any(|seed| text(seed).is_empty()) && (0..100).all(|seed| text(seed).lines().count() <= 4));
        assert!((0..20).any(|seed| child(seed, 0) != child(seed, 1)) && (0..20).any(|seed| child(seed, 0).1 != 0));
    }
}
