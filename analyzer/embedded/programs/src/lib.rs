//! The root of a crate that depends on all programs and tests of a workspace: it sees the code of all of them.
