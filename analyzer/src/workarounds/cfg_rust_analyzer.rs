//! The cfg `rust_analyzer`.
//!
//! * Symptom: it is set in the user's crates, unlike in any compiler, so code other than the compiled code is
//!   analysed.
//! * Test: `tests/suite/project/json.rs`.
//! * Upstream: none known.
//! * Goes when: setting it is optional.

use ra_ap_cfg::{CfgAtom, CfgDiff};
use ra_ap_intern::Symbol;
use ra_ap_project_model::CfgOverrides;

/// Removes the cfg from the crates of a workspace.
pub(crate) fn removed() -> CfgOverrides {
    CfgOverrides {
        global: CfgDiff::new(Vec::new(), vec![CfgAtom::Flag(Symbol::intern("rust_analyzer"))]),
        ..CfgOverrides::default()
    }
}
