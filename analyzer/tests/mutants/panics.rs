//! Panics, also those that the tool catches: whose they are, and how many.

use std::{
    backtrace::Backtrace,
    cell::Cell,
    collections::BTreeMap,
    panic::PanicHookInfo,
    sync::{Mutex, PoisonError},
};

thread_local! {
    /// The mutant that this thread works at.
    pub(crate) static MUTANT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Panics of one place.
#[derive(Clone, Debug)]
pub(crate) struct Panics {
    /// Whether code of ours did what it must not.
    pub(crate) is_ours: bool,
    pub(crate) count: u32,
    /// The first mutant, if it was one.
    pub(crate) mutant: Option<u64>,
    pub(crate) message: String,
    /// The innermost functions that are neither std's nor of a crate of containers.
    pub(crate) functions: Vec<String>,
}

static SEEN: Mutex<BTreeMap<String, Panics>> = Mutex::new(BTreeMap::new());

/// From now on panics are written down and not printed.
pub(crate) fn watch() {
    std::panic::set_hook(Box::new(note));
}

/// All panics so far, by place.
pub(crate) fn seen() -> BTreeMap<String, Panics> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn note(info: &PanicHookInfo<'_>) {
    let place = info.location().map_or_else(|| "?".to_owned(), |it| format!("{}:{}", it.file(), it.line()));
    let mut message = info.payload_as_str().unwrap_or("?").to_owned();
    message.truncate(message.char_indices().nth(200).map_or(message.len(), |(at, _)| at));
    let trace = Backtrace::force_capture().to_string();
    let is_own = |name: &&str| ["analyzer::", "interp::"].iter().any(|krate| name.contains(krate));
    let is_front =
        |name: &&str| ["ra_ap_", "ra-ap-", "rustc_type_ir", "salsa::"].iter().any(|krate| name.contains(krate));
    let functions = || {
        let lines = trace.lines().map(str::trim).filter_map(|line| line.split_once(": ").map(|it| it.1));
        let own_hook = |name: &&str| name.contains("mutants::panics");
        lines.filter(|name| is_own(name) || is_front(name)).filter(move |name| !own_hook(name))
    };
    // A place in a container says nothing: whoever asked it for what it does not have is to blame.
    let is_ours = match place.as_str() {
        own if own.starts_with("analyzer/src") || own.starts_with("interp/src") => true,
        front if front.contains("/ra_ap_") || front.contains("/ra-ap-") => false,
        _ => functions().next().is_none_or(|name| is_own(&name)),
    };
    let functions = functions().take(8).map(str::to_owned).collect();
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let new = Panics { is_ours, count: 0, mutant: MUTANT.get(), message, functions };
    seen.entry(place).or_insert(new).count += 1;
}

/// Panics are printed again.
pub(crate) fn forget() {
    drop(std::panic::take_hook());
}
