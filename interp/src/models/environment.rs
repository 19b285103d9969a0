//! Parts of the C library that read the environment: command line, variables, standard input, `errno`.

use super::{Call, Outcome};
use crate::files::errno::EINVAL;
use crate::harness_calls::HarnessChoice;
use crate::inputs::{self, Chooser, Inputs, MadeUpInput};
use crate::machine::{Machine, Stop};
use crate::memory::{AllocKind, Memory};
use crate::trace::TraceEvent;

impl Machine<'_> {
    /// Makes something up from the run's seed, and records that.
    pub(crate) fn choose<T>(&mut self, choose: impl FnOnce(&mut Inputs, &Chooser<'_>) -> T) -> T {
        self.save_pc();
        let (func, site) = self.here_outside_std();
        self.terms.chose_input(func, site);
        let (seed, first_seed) = self.input_seeds();
        let chooser = Chooser { seed, first_seed, dictionary: &self.host.dictionary() };
        choose(&mut self.inputs, &chooser)
    }

    /// A new C string.
    pub(super) fn c_string(&mut self, text: &[u8]) -> Result<u64, Stop> {
        let index = self.memory.allocate(text.len() as u64 + 1, AllocKind::Heap)?;
        self.memory.bytes_mut(index, 0, text.len()).copy_from_slice(text);
        Ok(Memory::address(index, 0))
    }

    /// A new null-terminated array of C strings, like `argv` and `environ`.
    pub(super) fn c_strings(&mut self, texts: &[Vec<u8>]) -> Result<u64, Stop> {
        let array = self.memory.allocate(8 * (texts.len() as u64 + 1), AllocKind::Heap)?;
        for (at, text) in texts.iter().enumerate() {
            let text = self.c_string(text)?;
            self.memory.put(array, 8 * at, 8, text);
        }
        Ok(Memory::address(array, 0))
    }

    fn args(&mut self) -> Result<(u64, u64), Stop> {
        if let Some(args) = self.inputs.args {
            return Ok(args);
        }
        let args = match self.environment.args() {
            Some(args) => args,
            None => {
                let is_second_program = self.is_second_program(self.process);
                self.choose(|inputs, chooser| {
                    let args = chooser.args();
                    let rest = args.get(1..).unwrap_or_default().to_vec();
                    inputs.given.push(if is_second_program {
                        MadeUpInput::SecondProgramArgs(rest)
                    } else {
                        MadeUpInput::Args(rest)
                    });
                    args
                })
            }
        };
        let made = (args.len() as u64, self.c_strings(&args)?);
        self.inputs.args = Some(made);
        Ok(made)
    }

    /// Reads the environment that the program was started with, if it is known.
    pub(super) fn know_variables(&mut self) -> Result<(), Stop> {
        if !self.inputs.is_complete
            && let Some(variables) = self.environment.variables()
        {
            for (name, value) in variables {
                let copy = self.c_string(&value)?;
                self.inputs.variables.entry(name).or_insert(Some((value, copy)));
            }
            self.inputs.is_complete = true;
        }
        Ok(())
    }

    /// The value of a variable; null if it is not set.
    fn variable(&mut self, name: Vec<u8>) -> Result<u64, Stop> {
        self.know_variables()?;
        if let Some(known) = self.inputs.variables.get(&name) {
            return Ok(known.as_ref().map_or(0, |(_, text)| *text));
        }
        if self.inputs.is_complete {
            return Ok(0);
        }
        let value = match self.environment.variable(&name) {
            Some(value) => Some(value),
            None if Chooser::is_fixed(&name) => None,
            None => self.choose(|inputs, chooser| {
                let value = chooser.variable(&name);
                inputs.given.push(MadeUpInput::Variable(name.clone(), value.clone()));
                value
            }),
        };
        let known = match value {
            Some(value) => {
                let copy = self.c_string(&value)?;
                Some((value, copy))
            }
            None => None,
        };
        let text = known.as_ref().map_or(0, |(_, text)| *text);
        self.inputs.variables.insert(name, known);
        Ok(text)
    }
}

impl Machine<'_> {
    /// Sets `errno` of the current thread.
    pub(super) fn set_errno(&mut self, errno: i32) -> Result<(), Stop> {
        self.thread().errno = errno;
        match self.thread().errno_at {
            Some(at) => self.store_word(at, 4, u64::from(errno as u32)),
            None => Ok(()),
        }
    }
}

impl Call<'_, '_> {
    /// The bytes of a C string; `None` if they are unknown.
    pub(super) fn c_string(&mut self, index: usize) -> Result<Option<Vec<u8>>, Stop> {
        let start = self.arg(index)?;
        self.c_string_at(start)
    }

    pub(super) fn c_string_at(&mut self, start: u64) -> Result<Option<Vec<u8>>, Stop> {
        let mut text = Vec::new();
        loop {
            let (at, offset) = self.machine.memory.readable(start.wrapping_add(text.len() as u64), 1)?;
            if self.machine.term_at((at, offset), 1).is_some() {
                self.machine.touched(text.len() as u64);
                return Ok(None);
            }
            match self.machine.memory.bytes(at, offset, 1) {
                [0] => {
                    self.machine.touched(text.len() as u64);
                    return Ok(Some(text));
                }
                byte => text.extend(byte),
            }
        }
    }

    /// The label of an input: the text in the first two arguments, pointer and length.
    fn label(&mut self) -> Result<Vec<u8>, Stop> {
        let (start, len) = (self.arg(0)?, self.arg(1)?);
        let mut label = self.machine.load_bytes(start, len)?;
        if self.machine.is_second_program(self.machine.process) {
            label.extend(b" of the second program");
        }
        Ok(label)
    }

    pub(super) fn fails(&mut self, errno: i32) -> Result<Outcome, Stop> {
        self.machine.set_errno(errno)?;
        self.ret(u64::MAX);
        Ok(Outcome::Done)
    }

    fn any_input(&mut self) -> Result<Outcome, Stop> {
        super::process::input(self)
    }
}

pub(super) fn argc(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (count, _) = call.machine.args()?;
    call.ret(count);
    Ok(Outcome::Done)
}

pub(super) fn argv(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (_, array) = call.machine.args()?;
    call.ret(array);
    Ok(Outcome::Done)
}

pub(super) fn getenv(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let Some(name) = call.c_string(0)? else { return call.any_input() };
    let text = call.machine.variable(name)?;
    call.ret(text);
    Ok(Outcome::Done)
}

/// Whether inputs are made up; under `run` they are the process's own. The argument is whether the caller can parse a
/// command line: then those of tests are not made up either.
pub(super) fn makes_up(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let can_parse = call.arg(0)? as u32 != 0;
    // A child's command line is its parent's; that of a second program is made up.
    let machine = &mut *call.machine;
    let is_child = machine.process != 0 && !machine.is_second_program(machine.process);
    let is_known = is_child
        || machine.environment.args().is_some()
        || can_parse && machine.choose(|_, chooser| chooser.known_args().is_some());
    call.ret(u64::from(!is_known));
    Ok(Outcome::Done)
}

/// The number of the user, or of the user's group: an ordinary one, or the administrator.
pub(super) fn user(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let user = call.machine.choose(|inputs, chooser| {
        let user = chooser.user();
        inputs.note(MadeUpInput::Number(b"the user".to_vec(), user));
        user
    });
    call.ret(user);
    Ok(Outcome::Done)
}

/// An index below the given count, for a harness. It is no input of the program.
pub(super) fn chosen(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (label, count) = (call.label()?, call.arg(2)?);
    let (_, first_seed) = call.machine.input_seeds();
    let forced = forced_choice(call, &label);
    let index = forced.unwrap_or_else(|| inputs::chosen(first_seed, &label, count)).min(count.saturating_sub(1));
    call.machine.harness_calls.choose(HarnessChoice { label: label.into(), count, index, is_call: false });
    call.ret(index);
    Ok(Outcome::Done)
}

/// The index that the configuration gives for a choice.
fn forced_choice(call: &Call<'_, '_>, label: &[u8]) -> Option<u64> {
    call.machine.config.forced_choices.iter().find(|(of, _)| of.as_slice() == label).map(|(_, index)| *index)
}

/// The index of the call that a thread of a harness makes, or the given count if it makes none.
pub(super) fn chosen_call(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (label, count) = (call.label()?, call.arg(2)?);
    let (_, first_seed) = call.machine.input_seeds();
    let index = match forced_choice(call, &label) {
        Some(index) => index.min(count),
        None => inputs::chosen(first_seed, &label, count),
    };
    let now = call.machine.order.epoch(call.machine.thread_id());
    call.machine.harness_calls.begin(now, HarnessChoice { label: label.into(), count, index, is_call: true });
    call.ret(index);
    Ok(Outcome::Done)
}

/// A thread of a harness has ended its call.
pub(super) fn call_ended(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let thread = call.machine.thread_id();
    call.machine.harness_calls.end(thread);
    Ok(Outcome::Done)
}

/// A harness has polled a future that is not ready, and drops it or will replace its waker.
pub(super) fn half_way(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let drops = call.arg(0)? as i32 != 0;
    if drops {
        let place = call.machine.place();
        let (thread, stack) = (call.machine.thread_id(), call.machine.contexts.stack(place));
        call.machine.harness_calls.drop_future(thread, stack);
    }
    call.machine.trace_event(if drops { TraceEvent::DropsFuture } else { TraceEvent::PollsInVain });
    Ok(Outcome::Done)
}

/// A made-up number for a parameter.
pub(super) fn number(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let label = call.label()?;
    let number = call.machine.choose(|inputs, chooser| {
        let number = chooser.number(&label);
        inputs.note(MadeUpInput::Number(label, number));
        number
    });
    call.ret(number);
    Ok(Outcome::Done)
}

/// Whether the command line has an option that is one of so many.
pub(super) fn has_option(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let label = call.label()?;
    let options = call.arg(2)? as u32;
    let is_given = call.machine.choose(|inputs, chooser| {
        let is_given = chooser.has_option(&label, options);
        inputs.note(MadeUpInput::Option(label, is_given));
        is_given
    });
    call.ret(u64::from(is_given));
    Ok(Outcome::Done)
}

/// A made-up text for a parameter.
pub(super) fn text(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    made_text(call, |chooser, label| chooser.text_for(label))
}

/// A made-up name for a parameter: a text of one word, such as that of a file.
pub(super) fn name(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    made_text(call, |chooser, label| chooser.name_for(label))
}

fn made_text(call: &mut Call<'_, '_>, choose: impl FnOnce(&Chooser<'_>, &[u8]) -> Vec<u8>) -> Result<Outcome, Stop> {
    let label = call.label()?;
    let text = call.machine.choose(|inputs, chooser| {
        let text = choose(chooser, &label);
        // A word of the dictionary may be invalid UTF-8.
        let text = String::from_utf8_lossy(&text).into_owned().into_bytes();
        inputs.note(MadeUpInput::Text(label, text.clone()));
        text
    });
    let written = call.arg(2)?;
    call.machine.store_word(written, 8, text.len() as u64)?;
    let text = call.machine.c_string(&text)?;
    call.ret(text);
    Ok(Outcome::Done)
}

/// All variables that are known to be set. No others are made up: a program that iterates over all of them does not
/// depend on a certain one.
pub(super) fn environ(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.know_variables()?;
    if !call.machine.inputs.is_complete {
        call.machine.choose(|_, _| ());
    }
    let known = &call.machine.inputs.variables;
    let line = |(name, value): (&Vec<u8>, &Option<(Vec<u8>, u64)>)| {
        value.as_ref().map(|(value, _)| [name.as_slice(), b"=", value].concat())
    };
    let texts: Vec<_> = known.iter().filter_map(line).collect();
    let array = call.machine.c_strings(&texts)?;
    call.ret(array);
    Ok(Outcome::Done)
}

/// A name that the C library rejects.
fn is_bad(name: &[u8]) -> bool {
    name.is_empty() || name.contains(&b'=')
}

/// `setenv(name, value, overwrite)`
pub(super) fn setenv(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (Some(name), Some(value)) = (call.c_string(0)?, call.c_string(1)?) else { return call.any_input() };
    if is_bad(&name) {
        return call.fails(EINVAL);
    }
    call.machine.know_variables()?;
    if call.arg(2)? as i32 != 0 || call.machine.variable(name.clone())? == 0 {
        let text = call.machine.c_string(&value)?;
        call.machine.inputs.variables.insert(name, Some((value, text)));
    }
    call.ret(0);
    Ok(Outcome::Done)
}

pub(super) fn unsetenv(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let Some(name) = call.c_string(0)? else { return call.any_input() };
    if is_bad(&name) {
        return call.fails(EINVAL);
    }
    call.machine.know_variables()?;
    call.machine.inputs.variables.insert(name, None);
    call.ret(0);
    Ok(Outcome::Done)
}

pub(super) fn errno(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let errno = match call.machine.thread().errno_at {
        Some(at) => call.machine.load_word(at, 4)?,
        None => u64::from(call.machine.thread().errno as u32),
    };
    call.ret(errno);
    Ok(Outcome::Done)
}

pub(super) fn set_errno(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let errno = call.arg(0)? as i32;
    call.machine.set_errno(errno)?;
    Ok(Outcome::Done)
}

/// The address of `errno`: one for each thread, allocated on first use.
pub(super) fn errno_location(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let at = match call.machine.thread().errno_at {
        Some(at) => at,
        None => {
            let at = Memory::address(call.machine.memory.allocate(4, AllocKind::Global)?, 0);
            let errno = call.machine.thread().errno;
            call.machine.store_word(at, 4, u64::from(errno as u32))?;
            call.machine.thread().errno_at = Some(at);
            at
        }
    };
    call.ret(at);
    Ok(Outcome::Done)
}

/// `dlsym(handle, name)`: the symbol never exists, so the program takes its fallback.
pub(super) fn dlsym(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.choose(|_, _| ());
    call.ret(0);
    Ok(Outcome::Done)
}
