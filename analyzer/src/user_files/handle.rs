//! A handle of a folder, which is opened once.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(super) use unix::{Handle, create_folder, create_folders, distrusted_file};

// Tested on every system.
#[cfg(any(not(unix), test))]
pub(super) mod portable;
#[cfg(not(unix))]
pub(super) use portable::{Handle, create_folder, create_folders, distrusted_file};
