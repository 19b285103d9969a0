//! Completions and manual pages.

use crate::support::Folder;

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
    assert!(status == 2 && stderr.contains("there is no command `chek`; there are check, run, test,"), "{stderr}");
}
