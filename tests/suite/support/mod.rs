//! Shared by the tests of the whole program.

pub(crate) mod client;

use expect_test::Expect;
use std::{path::Path, process::Command};
use tempfile::TempDir;

/// A folder with files, in which the program runs.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("the temporary folder is writable"));
        for (path, text) in files {
            folder.write(path, text.as_bytes());
        }
        folder
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is writable");
        std::fs::write(path, bytes).expect("the file is writable");
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Both streams and the exit status.
    pub(crate) fn output(&self, args: &[&str]) -> (String, String, i32) {
        run(self.command(".", args))
    }

    /// The same in a folder of it.
    pub(crate) fn output_in(&self, from: &str, args: &[&str]) -> (String, String, i32) {
        run(self.command(from, args))
    }

    /// The program, started in a folder of it.
    pub(crate) fn command(&self, from: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tsvd-check"));
        command
            .args(args)
            .current_dir(self.0.path().join(from))
            // Variables that cargo sets for tests are removed.
            .env_remove("CARGO")
            .env("XDG_CACHE_HOME", self.0.path().join(".cache"))
            .env("XDG_CONFIG_HOME", self.0.path().join(".cache/config"));
        command
    }

    /// Allows the workspace at a path, as the user would.
    pub(crate) fn allow(&self, path: &str) {
        let (stdout, stderr, status) = self.output(&["trust", path]);
        assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    }

    pub(crate) fn shown(&self, args: &[&str]) -> String {
        let (stdout, stderr, status) = self.output(args);
        let text = format!("stdout:\n{stdout}stderr:\n{}status: {status}\n", without_steps(&stderr));
        let path = |path: &Path| path.display().to_string();
        text.replace(&path(self.0.path()), "DIR")
    }

    pub(crate) fn expect(&self, args: &[&str], expected: &Expect) {
        expected.assert_eq(&self.shown(args));
    }
}

/// Both streams and the exit status.
pub(crate) fn run(mut command: Command) -> (String, String, i32) {
    let output = command.output().expect("the program was built");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("only text is printed");
    (text(output.stdout), text(output.stderr), output.status.code().expect("it was not killed"))
}

/// The number of steps may change with the machine.
fn without_steps(text: &str) -> String {
    let mut shown = String::new();
    for line in text.split_inclusive('\n') {
        match line.rsplit_once(", ") {
            Some((before, steps)) if steps.ends_with(" steps\n") => shown.extend([before, ", N steps\n"]),
            _ => shown.push_str(line),
        }
    }
    shown
}
