//! Options of command lines that a source file declares with builders: those of clap, getopts and similar libraries.

use interp::host::CommandOption;
use ra_ap_syntax::{AstNode, AstToken, SourceFile, ast, ast::HasArgList};

/// Methods that show that an option of clap has a value.
const WITH_VALUE: [&str; 12] = [
    "value_name",
    "default_value",
    "default_value_t",
    "possible_values",
    "number_of_values",
    "num_args",
    "min_values",
    "max_values",
    "validator",
    "value_parser",
    "value_delimiter",
    "env",
];
/// Actions of clap 4 for options without a value.
const FLAGS: [&str; 5] = ["SetTrue", "SetFalse", "Count", "Help", "Version"];

/// The options, in the order of the source.
pub(super) fn of(file: &SourceFile) -> Vec<CommandOption> {
    let calls = file.syntax().descendants().filter_map(ast::MethodCallExpr::cast);
    calls.filter(|call| !is_receiver(call)).filter_map(|call| of_chain(&call)).collect()
}

/// Whether another method of the same chain follows.
fn is_receiver(call: &ast::MethodCallExpr) -> bool {
    let parent = call.syntax().parent().and_then(ast::MethodCallExpr::cast);
    parent.is_some_and(|it| it.receiver().is_some_and(|it| it.syntax() == call.syntax()))
}

/// The option that a chain of calls declares.
fn of_chain(last: &ast::MethodCallExpr) -> Option<CommandOption> {
    let next = |call: &ast::MethodCallExpr| match call.receiver() {
        Some(ast::Expr::MethodCallExpr(before)) => Some(before),
        _ => None,
    };
    let (mut long, mut short) = (None, None);
    let (mut takes_value, mut is_required) = (None, false);
    for call in std::iter::successors(Some(last.clone()), next) {
        let name = call.name_ref()?;
        let args: Vec<ast::Expr> = call.arg_list().into_iter().flat_map(|it| it.args()).collect();
        let is_true = || args.first().is_some_and(|it| it.syntax().text() == "true");
        match name.text() {
            "long" => long = args.first().and_then(name_in),
            "short" => short = args.first().and_then(name_in),
            "takes_value" => takes_value = Some(is_true()),
            "required" => is_required = is_true(),
            "action" => {
                let action = args.first().map(|it| it.syntax().text().to_string()).unwrap_or_default();
                takes_value = Some(!FLAGS.iter().any(|flag| action.ends_with(flag)));
            }
            known if WITH_VALUE.contains(&known) => takes_value = takes_value.or(Some(true)),
            // Of getopts.
            known @ ("optflag" | "optflagmulti" | "optopt" | "optmulti" | "reqopt" | "optflagopt") => {
                (short, long) = (args.first().and_then(name_in), args.get(1).and_then(name_in));
                takes_value = match known {
                    "optflag" | "optflagmulti" => Some(false),
                    "optflagopt" => None,
                    _ => Some(true),
                };
                is_required = known == "reqopt";
            }
            _ => {}
        }
    }
    let name = match (long, short) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => return None,
    };
    Some(CommandOption { name: name.into_bytes().into(), takes_value, is_required })
}

/// The name in a literal, without dashes.
fn name_in(expr: &ast::Expr) -> Option<String> {
    let ast::Expr::Literal(literal) = expr else { return None };
    let name = match literal.kind() {
        ast::LiteralKind::String(text) => text.value().ok()?.into_owned(),
        ast::LiteralKind::Char(char) => char.text().trim_matches('\'').to_owned(),
        _ => return None,
    };
    let name = name.trim_start_matches('-').to_owned();
    let is_name = !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || "-_?".contains(it));
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::of;
    use ra_ap_syntax::{Edition, SourceFile};

    #[test]
    fn options_of_builders() {
        let source = r#"
fn main() {
    let matches = App::new("x")
        .arg(Arg::with_name("server").long("server").short("s").takes_value(false))
        .arg(Arg::new("port").long("port").default_value("80"))
        .arg(Arg::new("v").short('v').action(clap::ArgAction::Count))
        .arg(Arg::new("host").required(true).long("host").action(ArgAction::Set))
        .arg(Arg::with_name("quiet").long("quiet"))
        .arg(Arg::with_name("INPUT").required(true));
    opts.optflag("h", "help", "print this");
    opts.reqopt("", "in", "input", "NAME");
    point.long(5).short(name);
}
"#;
        let file = SourceFile::parse(source, Edition::CURRENT).tree();
        let found: Vec<_> = of(&file)
            .into_iter()
            .map(|it| (String::from_utf8_lossy(&it.name).into_owned(), it.takes_value, it.is_required))
            .collect();
        let option = |name: &str, takes_value, is_required| (name.to_owned(), takes_value, is_required);
        let expected = [
            option("--server", Some(false), false),
            option("--port", Some(true), false),
            option("-v", Some(false), false),
            option("--host", Some(true), true),
            option("--quiet", None, false),
            option("--help", Some(false), false),
            option("--in", Some(true), true),
        ];
        assert_eq!(found, expected);
    }
}
