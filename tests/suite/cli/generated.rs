//! Completions and manual pages.

use crate::support::Folder;
use std::path::Path;

#[test]
fn each_shell_gets_completions_with_commands_and_options() {
    let folder = Folder::new(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (stdout, stderr, status) = folder.output(&["completions", shell]);
        assert_eq!((stderr.as_str(), status), ("", 0), "{shell}");
        for word in ["replay", "explain", "require-reach"] {
            assert!(stdout.contains(word), "{shell}: {word}");
        }
    }
    let (_, stderr, status) = folder.output(&["completions", "tcsh"]);
    assert!(status == 2 && stderr.contains("[possible values: bash, elvish, fish, powershell, zsh]"), "{stderr}");
}

/// The shell itself accepts it.
#[cfg(unix)]
#[test]
fn bash_completes_an_option() {
    let folder = Folder::new(&[]);
    let (script, ..) = folder.output(&["completions", "bash"]);
    folder.write("tsvd-check.bash", script.as_bytes());
    let ask = r#"source ./tsvd-check.bash
        completer=$(complete -p tsvd-check | sed 's/.*-F \([^ ]*\).*/\1/')
        COMP_WORDS=(tsvd-check check --requ) COMP_CWORD=2
        $completer tsvd-check --requ check
        echo "${COMPREPLY[@]}""#;
    let output =
        std::process::Command::new("bash").args(["--norc", "-c", ask]).current_dir(folder.path()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&output.stdout), "--require-reach\n", "{}", text(&output.stderr));
}

/// Cargo's own completions, which come with the toolchain, read what is printed for `cargo tsvd`.
#[cfg(unix)]
#[test]
fn bash_completes_options_of_cargo_tsvd() {
    let folder = Folder::new(&[]);
    let (script, stderr, status) = folder.output(&["completions", "bash", "--cargo"]);
    assert_eq!((stderr.as_str(), status), ("", 0));
    folder.write("tsvd.bash", script.as_bytes());
    let sysroot = std::process::Command::new("rustc").args(["--print", "sysroot"]).output().unwrap().stdout;
    let of_cargo = Path::new(String::from_utf8(sysroot).unwrap().trim()).join("etc/bash_completion.d/cargo");
    assert!(of_cargo.is_file(), "{}", of_cargo.display());
    // The function is of Debian's package bash-completion.
    let ask = r#"_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${words[cword]} prev=${words[cword-1]}; }
        source "$1"; source ./tsvd.bash
        COMP_WORDS=(cargo tsvd --workspace --pa) COMP_CWORD=3
        _cargo
        echo "${COMPREPLY[@]}""#;
    let mut bash = std::process::Command::new("bash");
    let output = bash.args(["--norc", "-c", ask, "bash"]).arg(of_cargo).current_dir(folder.path()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&output.stdout), "--pass --package\n", "{}", text(&output.stderr));
}

#[test]
fn other_shells_complete_cargo_tsvd() {
    let folder = Folder::new(&[]);
    for (shell, marks) in [
        ("fish", ["complete -c cargo -n ", "-l pass "]),
        ("zsh", ["_cargo-tsvd() {", "--pass="]),
        ("powershell", ["-CommandName 'cargo-tsvd'", "'--pass'"]),
        ("elvish", ["'cargo-tsvd'", "--pass"]),
    ] {
        let (stdout, stderr, status) = folder.output(&["completions", "--cargo", shell]);
        assert_eq!((stderr.as_str(), status), ("", 0), "{shell}");
        assert!(marks.iter().all(|mark| stdout.contains(mark)), "{shell}: {stdout}");
    }
}

#[test]
fn manual_pages_are_printed() {
    let folder = Folder::new(&[]);
    let (page, stderr, status) = folder.output(&["man"]);
    assert_eq!((stderr.as_str(), status), ("", 0));
    let title = concat!(".TH tsvd-check 1  \"tsvd-check ", env!("CARGO_PKG_VERSION"), "\"");
    assert!(page.contains(title) && page.contains(".SH SUBCOMMANDS"), "{page}");
    let (page, ..) = folder.output(&["man", "check"]);
    assert!(page.contains(".TH tsvd-check-check 1") && page.contains("require\\-reach"), "{page}");
    let (_, stderr, status) = folder.output(&["man", "chek"]);
    assert!(
        status == 2 && stderr.contains("unknown command `chek`; the commands are check, reach, run, test,"),
        "{stderr}"
    );
}
