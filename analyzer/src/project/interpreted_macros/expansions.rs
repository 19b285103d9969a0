//! The thread that interprets macros.

use super::{MacroCrates, Request, environment::MacroEnvironment, locked};
use crate::{
    explore::{Options, Prepared},
    guard,
    project::{Project, STACK_BYTES},
};
use std::{
    collections::BTreeSet,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, mpsc::Receiver},
    thread,
};

/// Maximum number of instructions of an expansion.
const MAX_STEPS: u64 = 300_000_000;
/// Maximum number of instructions of all expansions.
const MAX_STEPS_OF_ALL: u64 = 1_000_000_000;

/// Number of further runs of a macro that may depend on inputs.
const OTHER_SEEDS: u64 = 7;

/// Starts the thread. It ends when nobody can send a request any more.
pub(super) fn start(
    crates: MacroCrates,
    requests: Receiver<Request>,
    looked_at: Arc<Mutex<BTreeSet<PathBuf>>>,
) -> io::Result<()> {
    let serve = move || {
        let project = guard::unwinding(|| crates.load()).ok().flatten();
        let Some((project, drivers)) = project else {
            for request in requests {
                request.answer(Err(NOT_LOADED.to_owned()));
            }
            return;
        };
        project.with_db(|project| serve(project, &drivers, requests, &looked_at));
    };
    thread::Builder::new().name("macros".to_owned()).stack_size(STACK_BYTES).spawn(serve).map(drop)
}

/// Why a macro has no expansion.
const NOT_LOADED: &str = "its library cannot be loaded";

/// Answers requests. `drivers` are the names of the programs that call the macros of a library, by its index.
fn serve(project: &Project, drivers: &[String], requests: Receiver<Request>, looked_at: &Mutex<BTreeSet<PathBuf>>) {
    let entries = project.binaries();
    let mut programs: Vec<Option<Prepared<'_>>> = drivers.iter().map(|_| None).collect();
    let mut left = MAX_STEPS_OF_ALL;
    for request in requests {
        let entry = drivers.get(request.library).and_then(|name| entries.iter().find(|it| it.name == *name));
        let program = programs.get_mut(request.library);
        let result = match (entry, program) {
            (Some(entry), Some(program)) => guard::caught(project.db(), || {
                // After a panic, the program is prepared anew.
                let mut prepared = program.take().unwrap_or_else(|| Prepared::new(project, entry));
                let result = expand(&mut prepared, &request, &mut left, looked_at);
                *program = Some(prepared);
                result
            }),
            _ => Some(Err(NOT_LOADED.to_owned())),
        };
        request.answer(result.unwrap_or_else(|| Err("internal error".to_owned())));
    }
}

/// The macro's output, if it rests on nothing unknown: with other inputs, such as times of files, it is the same.
fn expand(
    program: &mut Prepared<'_>,
    request: &Request,
    left: &mut u64,
    looked_at: &Mutex<BTreeSet<PathBuf>>,
) -> Result<String, String> {
    let (first, varies) = expand_with(program, request, 0, left, looked_at)?;
    for seed in 1..=if varies { OTHER_SEEDS } else { 0 } {
        if expand_with(program, request, seed, left, looked_at)?.0 != first {
            return Err("its output depends on chance, or on something outside of the package".to_owned());
        }
    }
    Ok(first)
}

/// The output of a run with this seed, and whether another seed may give another one.
fn expand_with(
    program: &mut Prepared<'_>,
    request: &Request,
    seed: u64,
    left: &mut u64,
    looked_at: &Mutex<BTreeSet<PathBuf>>,
) -> Result<(String, bool), String> {
    let max_steps = MAX_STEPS.min(*left);
    let mut environment = MacroEnvironment::new(request);
    let options = Options { seed, max_steps: Some(max_steps), ..Options::default() };
    let outcome = program.interpret(&options, &mut environment);
    *left = left.saturating_sub(outcome.steps);
    locked(looked_at).append(&mut environment.looked_at);
    let mut causes = outcome.uninterpreted.iter().flat_map(|it| &it.causes);
    let has_inputs = causes.clone().any(|it| !it.is_unknown);
    if let Some(cause) = causes.find(|it| it.is_unknown) {
        let location = cause.locations.iter().flatten().next();
        let location = location.map(|it| format!(" at {it}")).unwrap_or_default();
        return Err(format!("its code is not understood: {}{location}", cause.text));
    }
    if environment.is_unknown {
        return Err("its expansion depends on something outside of the package".to_owned());
    }
    let [output, errors] = environment.printed.map(|it| String::from_utf8_lossy(&it).into_owned());
    match (outcome.status, outcome.cut_short) {
        (Some(0), _) => Ok((output, outcome.varies || has_inputs)),
        (Some(_), _) => Err(format!("it panicked: {}", message(&errors))),
        (None, why) => Err(why.unwrap_or_else(|| "it did not end".to_owned())),
    }
}

/// The message of a panic, which follows the line with its location.
fn message(errors: &str) -> &str {
    errors.trim().lines().nth(1).unwrap_or_default()
}

/// The program of a library is found by its name.
pub(super) fn driver_name(library: usize) -> String {
    format!("macros_{library}")
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn messages_of_panics() {
        assert_eq!(message("\nthread 'main' (1) panicked at src/lib.rs:1:2:\nno fields\nnote: …\n"), "no fields");
        assert_eq!(message(""), "");
    }
}
