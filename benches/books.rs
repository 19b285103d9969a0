//! The toolchain's books as an oracle: the Reference, the Nomicon, The Rust Programming Language, Rust by Example, the
//! edition guide and the error index. Each example that is a whole program is compiled, run and interpreted. Standard
//! output and exit status must agree, or unsupported code is reported.
//!
//! `cargo bench --bench books [-- PART-OF-A-NAME...]`. Needs the component `rust-docs`. The examples are kept in
//! `tmp/books` in the target folder.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use oracle::{Verdict, compiled, complain, judge_all};
use tsvd_check::ProgramOutput;

mod oracle;

const BOOKS: [&str; 6] = ["reference", "nomicon", "book", "rust-by-example", "edition-guide", "error_codes"];
/// Marks of examples that are not run.
const NOT_RUN: [&str; 3] = ["compile_fail", "ignore", "no_run"];
/// How often a program is run: output that depends on the order of a hash map varies.
const TIMES: usize = 10;
/// The edition of an example that names none.
const EDITION: &str = "2021";

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let examples = match examples(&names) {
        Ok(examples) => examples,
        Err(error) => return complain(format_args!("{error}")),
    };
    judge_all(&examples, |programs, path, edition| {
        let Some(output) = compiled(path, edition, TIMES) else {
            return Verdict::NotJudged("rustc does not compile it, or its program does not always do the same".into());
        };
        // A parent sees an abort as a signal, a shell as 134.
        judge(&programs.interpret(path), output.status.code().unwrap_or(134), &output.stdout)
    })
    .unwrap_or_else(|error| complain(format_args!("{error}")))
}

fn judge(got: &ProgramOutput, status: i32, stdout: &[u8]) -> Verdict {
    match &got.uninterpreted {
        _ if status == 124 => Verdict::NotJudged("it does not end within 20 s".into()),
        Some(why) => Verdict::Unknown(why.clone()),
        None if got.status == status && got.stdout == stdout => Verdict::Passed,
        None => {
            let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().take(8).collect::<Vec<_>>().join("\\n");
            Verdict::Failed(format!(
                "status {}, not {status}; {:?}, not {:?}; {:?}",
                got.status,
                said(&got.stdout),
                said(stdout),
                said(&got.stderr)
            ))
        }
    }
}

/// The examples, written to files, with their editions.
fn examples(names: &[String]) -> Result<Vec<(PathBuf, String)>, String> {
    let sysroot =
        Command::new("rustc").args(["--print", "sysroot"]).output().map_err(|error| format!("rustc: {error}"))?;
    let sysroot = String::from_utf8_lossy(&sysroot.stdout).trim().to_owned();
    let html = Path::new(&sysroot).join("share/doc/rust/html");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("books");
    std::fs::create_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    let mut examples = Vec::new();
    for book in BOOKS {
        let mut pages = Vec::new();
        collect(&html.join(book), &mut pages).map_err(|error| {
            format!("{}: {error}; `rustup component add rust-docs` brings the books", html.join(book).display())
        })?;
        pages.sort();
        for page in pages {
            let text = std::fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
            let page = page.strip_prefix(&html).unwrap_or(&page).with_extension("");
            let page: String =
                page.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            for (number, (program, edition)) in programs_of(&text).into_iter().enumerate() {
                let name = format!("{page}_{number}");
                if !names.is_empty() && !names.iter().any(|it| name.contains(it)) {
                    continue;
                }
                let path = target.join(name).with_extension("rs");
                std::fs::write(&path, program).map_err(|error| format!("{}: {error}", path.display()))?;
                examples.push((path, edition));
            }
        }
    }
    Ok(examples)
}

/// The pages below a folder, without the one that contains all pages, and without translations, whose folders are named
/// `es`, `ja` and so on.
fn collect(folder: &Path, pages: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name.len() > 2) {
                collect(&path, pages)?;
            }
        } else if path.extension().is_some_and(|it| it == "html") && path.file_stem().is_some_and(|it| it != "print") {
            pages.push(path);
        }
    }
    Ok(())
}

/// The examples of a page that are to be run, with their hidden lines and editions.
fn programs_of(html: &str) -> Vec<(String, String)> {
    let mut programs = Vec::new();
    for block in html.split("<code class=\"").skip(1) {
        let Some((classes, rest)) = block.split_once("\">") else { continue };
        let Some((code, _)) = rest.split_once("</code>") else { continue };
        let is_rust = classes.split([' ', ',']).any(|class| class == "language-rust");
        if !is_rust || NOT_RUN.iter().any(|it| classes.contains(it)) {
            continue;
        }
        let edition = classes.split("edition").nth(1).and_then(|it| it.get(..4)).unwrap_or(EDITION);
        let code = text_of(code);
        let program = if code.contains("fn main") { code } else { format!("fn main() {{\n{code}\n}}\n") };
        programs.push((program, edition.to_owned()));
    }
    programs
}

/// The text of HTML, without tags.
fn text_of(html: &str) -> String {
    let mut parts = html.split('<');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&")];
    entities.iter().fold(text, |text, (entity, character)| text.replace(entity, character))
}
