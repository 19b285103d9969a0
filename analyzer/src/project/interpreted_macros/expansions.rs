//! The thread that interprets macros.

use super::{DEPTH, MacroCrates, MacroServer, Request, environment::MacroEnvironment, locked};
use crate::{
    explore::{Options, Prepared},
    guard,
    project::{Project, STACK_BYTES},
};
use std::{
    collections::BTreeSet,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, Weak, mpsc::Receiver},
    thread,
};

/// Maximum number of instructions of an expansion.
const MAX_STEPS: u64 = 300_000_000;
/// Maximum number of instructions of all expansions.
const MAX_STEPS_OF_ALL: u64 = 1_000_000_000;

/// Number of further runs of a macro that may depend on inputs.
const OTHER_SEEDS: u64 = 7;

/// Starts the threads, one for each receiver. They end when nobody can send a request any more.
pub(super) fn start(
    crates: MacroCrates,
    requests: Vec<Receiver<Request>>,
    nested: Weak<MacroServer>,
    looked_at: Arc<Mutex<BTreeSet<PathBuf>>>,
) -> io::Result<()> {
    let serve_all = move || {
        let loaded = guard::unwinding(|| crates.load(&nested)).ok().flatten();
        thread::scope(|scope| {
            for (depth, requests) in requests.into_iter().enumerate() {
                let (loaded, looked_at) = (loaded.clone(), &looked_at);
                let serve_depth = move || match loaded {
                    Some((project, drivers)) => project.with_db(|project| {
                        DEPTH.set(depth + 1);
                        serve(project, &drivers, requests, looked_at);
                    }),
                    None => requests.into_iter().for_each(|it| it.answer(Err(NOT_LOADED.to_owned()))),
                };
                scope.spawn(serve_depth);
            }
        });
    };
    thread::Builder::new().name("macros".to_owned()).stack_size(STACK_BYTES).spawn(serve_all).map(drop)
}

/// Why a macro has no expansion.
const NOT_LOADED: &str = "its library cannot be loaded";

/// Answers requests. `drivers` are the names of the programs that call the macros of a library, by its index.
fn serve(project: &Project, drivers: &[String], requests: Receiver<Request>, looked_at: &Mutex<BTreeSet<PathBuf>>) {
    let mut programs: Vec<Option<Prepared<'_>>> = drivers.iter().map(|_| None).collect();
    let mut left = MAX_STEPS_OF_ALL;
    for request in requests {
        let result = match drivers.get(request.library).zip(programs.get_mut(request.library)) {
            Some((driver, program)) => guard::caught(project.db(), || {
                // After a panic, the program is prepared anew.
                let new = || Some(Prepared::new(project, &project.binary(driver)?));
                let mut prepared = program.take().or_else(new).ok_or(NOT_LOADED)?;
                let result = expand(&mut prepared, &request, &mut left, looked_at);
                *program = Some(prepared);
                result
            }),
            None => Some(Err(NOT_LOADED.to_owned())),
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
