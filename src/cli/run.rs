//! `tsvd-check run`: interprets a program once, with this process's streams and environment.

use super::{Selection, Source, analysed, load, say, say_all};
use crate::format;
use analyzer::{
    check::{
        messages,
        selection::{NO_MAIN, choices},
    },
    explore::{self, Options},
};
use clap::Args;
use interp::environment::{Disk, Environment};
use std::{
    ffi::OsString,
    io::{Read as _, Write as _},
    iter,
};

/// Maximum number of bytes read from standard input at once.
const READ: usize = 1 << 16;

#[derive(Args)]
pub(super) struct Run {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    selection: Selection,
    /// The program's own arguments. It reads this process's standard input and environment.
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// Interprets the program; returns its status.
pub(super) fn run(run: &Run) -> Result<u8, String> {
    let Source { path, options } = &run.source;
    let project = load(path, options, false)?;
    let options = Options { seed: options.seed.unwrap_or_default(), ..Options::default() };
    analysed(&project, |project| {
        say_all(messages::syntax_errors(project));
        let binaries = run.selection.entries().chosen(project, project.binaries())?;
        let binary = match binaries.as_slice() {
            [binary] => binary,
            [] => {
                say_all(messages::no_programs(project));
                return Err(format!("nothing to run: {NO_MAIN}"));
            }
            several => return Err(format!("several programs here: choose one with {}", choices(several))),
        };
        say_all(messages::left_out(project));
        let result = explore::interpret(
            project,
            binary,
            &options,
            &mut ProcessEnvironment { name: &binary.name, args: &run.args },
        );
        say_all(messages::stopped(project));
        if let Some(why) = &result.cut_short {
            say(&format!("tsvd-check: the program did not run to its end: {why}"));
        }
        if let Some(unknown) = &result.uninterpreted {
            say(&format::uninterpreted(unknown));
        }
        // The parent of a process sees only the low byte of its exit status.
        Ok(result.status.map_or(101, |it| it as u8))
    })
}

/// The program has this process's streams and environment.
struct ProcessEnvironment<'a> {
    name: &'a str,
    args: &'a [OsString],
}

impl Environment for ProcessEnvironment<'_> {
    fn read(&mut self, len: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; len.min(READ)];
        // A read error counts as the end.
        let read = std::io::stdin().read(&mut bytes).unwrap_or(0);
        bytes.truncate(read);
        Some(bytes)
    }

    fn args(&mut self) -> Option<Vec<Vec<u8>>> {
        let args = self.args.iter().map(|it| it.as_encoded_bytes().to_vec());
        Some(iter::once(self.name.as_bytes().to_vec()).chain(args).collect())
    }

    fn variables(&mut self) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        let bytes = |text: OsString| text.into_encoded_bytes();
        Some(std::env::vars_os().map(|(name, value)| (bytes(name), bytes(value))).collect())
    }

    fn disk(&mut self) -> Disk {
        Disk::Working
    }

    fn write(&mut self, fd: i32, bytes: &[u8]) {
        // A closed pipe is the reader's choice; the program sees its write succeed.
        let _ = if fd == 2 {
            std::io::stderr().write_all(bytes)
        } else {
            let mut out = std::io::stdout();
            out.write_all(bytes).and_then(|()| out.flush())
        };
    }
}
