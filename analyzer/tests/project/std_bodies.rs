//! How much of std's bodies rust-analyzer understands.

use std::fmt::Write as _;

use analyzer::project::canonical_path;
use expect_test::expect;
use hir_def::DefWithBodyId;
use ra_ap_hir_def as hir_def;

use super::support::{bodies, count_untyped, single};

#[test]
fn expressions_without_a_type() {
    let report = single("fn main() {}").with_db(|project| {
        let mut report = String::new();
        for krate in project.crates().into_iter().filter(|krate| project.is_std(*krate)) {
            let (mut all, mut untyped, mut where_) = (0, 0, Vec::new());
            for id in bodies(project, krate) {
                let counts = count_untyped(project, id);
                all += counts.0;
                untyped += counts.1;
                if let (1.., DefWithBodyId::FunctionId(function)) = (counts.1, id) {
                    where_.push(canonical_path(project.db(), function));
                }
            }
            let name = krate.display_name(project.db()).map(|name| name.to_string()).unwrap_or_default();
            // Ten thousands are enough to see that nothing went missing; our own code in std changes the thousands.
            writeln!(report, "{name}: {untyped} of {}k", all / 10_000 * 10).expect("a string takes all");
            where_.sort();
            where_.iter().for_each(|path| writeln!(report, "    {path}").expect("a string takes all"));
        }
        report
    });
    expect![[r#"
        core: 0 of 170k
        alloc: 0 of 30k
        cfg_if: 0 of 0k
        libc: 0 of 0k
        rustc_demangle: 0 of 0k
        hashbrown: 0 of 0k
        unwind: 0 of 0k
        std_detect: 0 of 0k
        std: 11 of 50k
            std::sys::pal::unix::linux::pidfd::PidFd::pid
            std::sys::process::unix::common::Command::posix_spawn
            std::sys::thread::unix::min_stack_size
    "#]]
    .assert_eq(&report);
}
