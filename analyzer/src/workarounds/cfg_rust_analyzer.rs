//! The cfg `rust_analyzer`.
//!
//! * Symptom: it is set in the user's crates, which no compiler does, and other code than the compiled one is
//!   analysed.
//! * Test: `tests/suite/project/json.rs`.
//! * Upstream: none known.
//! * Goes when: it is an option.

use ra_ap_cfg::{CfgAtom, CfgDiff};
use ra_ap_intern::Symbol;
use ra_ap_project_model::CfgOverrides;

/// What removes it from the crates of a workspace.
pub(crate) fn removed() -> CfgOverrides {
    CfgOverrides {
        global: CfgDiff::new(Vec::new(), vec![CfgAtom::Flag(Symbol::intern("rust_analyzer"))]),
        ..CfgOverrides::default()
    }
}
