//! Panics, ours or rust-analyzer's: what they cost is left out, and named.

use analyzer::{guard, project::Project};

/// Runs `f` on a project. A panic that nothing within it catches is an error of what was asked for, and no end of the process.
pub(super) fn analysed<R: Send>(
    project: &Project,
    f: impl FnOnce(&Project) -> Result<R, String> + Send,
) -> Result<R, String> {
    let before = guard::failures();
    let result = guard::unwinding(|| project.with_db(f)).unwrap_or_else(|_| Err(guard::internal_failure()));
    say(guard::failures() - before);
    result
}

/// How many different panics are named.
const MAX_PANICS: usize = 3;

/// What panicked, ours or rust-analyzer's, and was left out.
pub(super) fn say(count: u64) {
    let failures = match count {
        0 => return,
        1 => "internal failure, of one body, entry or crate".to_owned(),
        n => format!("internal failures: {n}, each of one body, entry or crate"),
    };
    super::say(&format!("{failures}, which counts as not understood; please report it:"));
    let panics = guard::take_panics();
    panics.iter().rev().take(MAX_PANICS).for_each(|panic| super::say(&format!("  {panic}")));
    if panics.len() > MAX_PANICS {
        super::say(&format!("  and {} more", panics.len() - MAX_PANICS));
    }
}
