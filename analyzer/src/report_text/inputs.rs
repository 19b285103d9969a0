//! The inputs that were made up for a run, as text.

use crate::std_models::harness::{STUBS_WAIT, SUCCEED};
use interp::inputs::{MadeUpInput, MadeUpPath};

/// Maximum length of a text that is shown completely, in bytes.
const LONGEST: usize = 60;

/// All of them on one line.
pub(crate) fn given(inputs: &[MadeUpInput]) -> String {
    inputs.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn one(input: &MadeUpInput) -> String {
    match input {
        MadeUpInput::Args(args) if args.is_empty() => "no arguments".to_owned(),
        MadeUpInput::Args(args) => format!("the arguments {}", list(args)),
        MadeUpInput::SecondProgram(path) => {
            let name = path.rsplit(|it| *it == b'/').next().unwrap_or_default();
            format!("`{}` started as a second program", String::from_utf8_lossy(name))
        }
        MadeUpInput::SecondProgramArgs(args) if args.is_empty() => "no arguments for it".to_owned(),
        MadeUpInput::SecondProgramArgs(args) => format!("the arguments {} for it", list(args)),
        MadeUpInput::Variable(name, None) => format!("{} not set", String::from_utf8_lossy(name)),
        MadeUpInput::Variable(name, Some(value)) => format!("{}={}", String::from_utf8_lossy(name), quoted(value)),
        MadeUpInput::Stdin(text) if text.is_empty() => "an empty standard input".to_owned(),
        MadeUpInput::Stdin(text) => format!("the standard input {}", quoted(text)),
        MadeUpInput::Stream(text) if text.is_empty() => "an empty stream".to_owned(),
        MadeUpInput::Stream(text) => format!("a stream with {}", quoted(text)),
        MadeUpInput::Signal(number) => format!("the signal {}", super::system::signal(*number)),
        MadeUpInput::Number(label, number) => match answer(label, number % 2 == 1) {
            Some(answer) => answer.to_owned(),
            None => format!("{} = {number}", String::from_utf8_lossy(label)),
        },
        MadeUpInput::Option(label, true) => format!("{} given", String::from_utf8_lossy(label)),
        MadeUpInput::Option(label, false) => format!("no {}", String::from_utf8_lossy(label)),
        MadeUpInput::Text(label, text) => format!("{} = {}", String::from_utf8_lossy(label), quoted(text)),
        MadeUpInput::Path(path, there) => {
            let path = String::from_utf8_lossy(path);
            match there {
                MadeUpPath::Nothing => format!("no {path}"),
                MadeUpPath::Folder(None) => format!("a folder {path}"),
                MadeUpPath::Folder(Some(names)) if names.is_empty() => format!("an empty folder {path}"),
                MadeUpPath::Folder(Some(names)) => format!("a folder {path} with {}", list(names)),
                MadeUpPath::File(None) => format!("a file {path}"),
                MadeUpPath::File(Some(text)) if text.is_empty() => format!("an empty file {path}"),
                MadeUpPath::File(Some(text)) => format!("a file {path} with {}", quoted(text)),
            }
        }
    }
}

/// The text for a made-up number that says what callbacks or stubs do.
fn answer(label: &[u8], is_so: bool) -> Option<&'static str> {
    let answers = [
        (SUCCEED, ["callbacks fail", "callbacks succeed"]),
        (STUBS_WAIT, ["futures of stubs are ready at once", "futures of stubs wait"]),
    ];
    answers.into_iter().find(|(asked, _)| asked.as_bytes() == label).map(|(_, texts)| texts[usize::from(is_so)])
}

/// As literals.
fn list(texts: &[Vec<u8>]) -> String {
    texts.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(" ")
}

/// As a literal; shortened if it is long.
fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.char_indices().find(|(at, _)| *at >= LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_in_words() {
        let bytes = |text: &str| text.as_bytes().to_vec();
        let inputs = [
            MadeUpInput::Args(vec![bytes("rename"), bytes("")]),
            MadeUpInput::Variable(bytes("MODE"), Some(bytes("fast"))),
            MadeUpInput::Variable(bytes("JOBS"), None),
            MadeUpInput::Stdin(bytes("1\n2\n")),
            MadeUpInput::Stream(bytes("")),
        ];
        let expected =
            r#"the arguments "rename" "", MODE="fast", JOBS not set, the standard input "1\n2\n", an empty stream"#;
        assert_eq!(given(&inputs), expected);
        assert_eq!(given(&[MadeUpInput::Args(Vec::new())]), "no arguments");
        let numbers = [SUCCEED, STUBS_WAIT, "`count` of `new`"].map(|label| MadeUpInput::Number(bytes(label), 4));
        assert_eq!(given(&numbers), "callbacks fail, futures of stubs are ready at once, `count` of `new` = 4");
        let files = [
            ("a.txt", MadeUpPath::Nothing),
            ("/b", MadeUpPath::Folder(None)),
            ("c", MadeUpPath::Folder(Some(vec![bytes("x"), bytes("y")]))),
            ("d", MadeUpPath::File(None)),
            ("e", MadeUpPath::File(Some(bytes("1\n")))),
            ("f", MadeUpPath::File(Some(Vec::new()))),
        ];
        let files = files.map(|(path, there)| MadeUpInput::Path(bytes(path), there));
        let expected =
            r#"no a.txt, a folder /b, a folder c with "x" "y", a file d, a file e with "1\n", an empty file f"#;
        assert_eq!(given(&files), expected);
        assert_eq!(quoted("ä".repeat(40).as_bytes()), format!("\"{}\"...", "ä".repeat(30)));
    }
}
