//! What threads synchronise through: state that the machine needs to run the program. Detectors read it and own none of
//! it (invariant 7).

pub mod locks;
