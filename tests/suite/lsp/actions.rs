//! What the language server offers about a finding: quick fixes, hovers, the interleaving, the rule's page, its own state.

use crate::support::{Folder, client::Client};
use serde_json::{Value, json};
use std::path::Path;

const MANIFEST: &str = "[package]\nname = \"bank\"\nedition = \"2024\"\n";
const FILE: &str = "src/main.rs";

/// A deadlock of two locks with a certain fix, in one file.
fn bank() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/deadlock/bank_audit/src");
    let module = |name: &str| {
        let text = std::fs::read_to_string(folder.join(format!("{name}.rs"))).unwrap();
        text.replace("//~ deadlock", "").lines().map(|line| format!("    {line}\n")).collect::<String>()
    };
    let main = std::fs::read_to_string(folder.join("main.rs")).unwrap();
    let without = main.replace("mod audit;", "").replace("mod ledger;", "");
    format!("mod audit {{\n{}}}\nmod ledger {{\n{}}}\n{without}", module("audit"), module("ledger"))
}

/// A client that shows a deadlock.
fn client(folder: &Folder, text: &str) -> Client {
    let capabilities = json!({
        "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
        "experimental": { "serverStatusNotification": true },
    });
    let options = json!({ "commands": ["tsvd-check.showInterleaving", "tsvd-check.explainRule"] });
    let mut client = Client::start_in(folder.path(), &[""], &capabilities, &options);
    client.open(FILE, text);
    client.wait("the deadlock", |it| !it.findings(FILE).is_empty());
    client.idle();
    client
}

fn package(text: &str) -> Folder {
    Folder::new(&[("Cargo.toml", MANIFEST), (FILE, text)])
}

fn document(folder: &Folder) -> Value {
    json!({ "uri": format!("file://{}/{FILE}", folder.path().display()) })
}

/// The actions at the first finding, by title.
fn actions(client: &mut Client, folder: &Folder) -> Vec<Value> {
    let finding = client.diagnostics[FILE][0].clone();
    let params = json!({
        "textDocument": document(folder), "range": finding["range"], "context": { "diagnostics": [finding] },
    });
    client.request("textDocument/codeAction", params).as_array().unwrap().clone()
}

fn titled<'a>(actions: &'a [Value], start: &str) -> &'a Value {
    let found = actions.iter().find(|it| it["title"].as_str().unwrap().starts_with(start));
    found.unwrap_or_else(|| panic!("no action `{start}`: {actions:#?}"))
}

/// The text after an action's edits of the one file.
fn applied(text: &str, action: &Value) -> String {
    let changes = action["edit"]["changes"].as_object().unwrap();
    assert_eq!(changes.len(), 1, "{action:#}");
    let edits = changes.values().next().unwrap().as_array().unwrap();
    let mut text = text.to_owned();
    for edit in edits {
        // All texts of these tests are ASCII.
        let offset = |at: &Value| {
            let lines = text.split_inclusive('\n').take(at["line"].as_u64().unwrap() as usize);
            lines.map(str::len).sum::<usize>() + at["character"].as_u64().unwrap() as usize
        };
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

#[test]
fn a_certain_fix_repairs_the_program() {
    let text = bank();
    let folder = package(&text);
    let mut client = client(&folder, &text);
    let actions = actions(&mut client, &folder);
    let fix = titled(&actions, "release `accounts`");
    assert_eq!((&fix["kind"], &fix["isPreferred"]), (&"quickfix".into(), &true.into()));
    let fixed = applied(&text, fix);
    assert!(fixed.contains("drop(accounts);"), "{fixed}");
    client.change(FILE, &fixed);
    client.wait("nothing", |it| it.findings(FILE).is_empty());
    client.idle();
    assert!(client.findings(FILE).is_empty(), "{:?}", client.diagnostics);
    client.stop();
}

#[test]
fn a_comment_suppresses_the_finding() {
    let text = bank();
    let folder = package(&text);
    let mut client = client(&folder, &text);
    let suppressed = applied(&text, titled(&actions(&mut client, &folder), "Suppress this deadlock"));
    assert!(
        suppressed.contains(
            "            // tsvd: allow(deadlock, reason = \"TODO: say why this is safe\")\n            self."
        ),
        "{suppressed}"
    );
    client.change(FILE, &suppressed);
    client.wait("nothing", |it| it.findings(FILE).is_empty());
    client.idle();
    assert!(client.findings(FILE).is_empty(), "{:?}", client.diagnostics);
    client.stop();
}

#[test]
fn a_hover_and_a_view_say_how_it_happens() {
    let text = bank();
    let folder = package(&text);
    let mut client = client(&folder, &text);
    let finding = client.diagnostics[FILE][0].clone();
    // At the finding, and at another of its sites.
    let other = &finding["relatedInformation"][0]["location"]["range"];
    for range in [&finding["range"], other] {
        let params = json!({ "textDocument": document(&folder), "position": range["start"] });
        let hover = client.request("textDocument/hover", params);
        let value = hover["contents"]["value"].as_str().unwrap_or_else(|| panic!("no hover: {hover:#}"));
        assert!(value.starts_with("**deadlock**: ") && value.contains("\n1. main: starts `teller` "), "{value}");
        assert!(value.lines().count() < 25, "{value}");
    }
    let elsewhere = json!({ "textDocument": document(&folder), "position": { "line": 0, "character": 0 } });
    assert_eq!(client.request("textDocument/hover", elsewhere), Value::Null);
    let all = actions(&mut client, &folder);
    assert!(all.last().unwrap()["title"].as_str().unwrap().starts_with("Suppress this deadlock"), "{all:#?}");
    let command = &titled(&all, "Show the interleaving")["command"];
    assert_eq!(command["command"], "tsvd-check.showInterleaving");
    let params = json!({ "command": "tsvd-check.interleaving", "arguments": command["arguments"] });
    let view = client.request("workspace/executeCommand", params);
    let markdown = view["markdown"].as_str().unwrap();
    assert!(markdown.starts_with("# deadlock: ") && markdown.contains("```mermaid\nsequenceDiagram\n"), "{view:#}");
    let path = folder.path().join(FILE);
    let html = view["html"].as_str().unwrap();
    let title = format!("<title>{}</title>", view["title"].as_str().unwrap().replace('`', ""));
    assert!(title.starts_with("<title>deadlock: ") && html.contains(&title), "{title}: {html}");
    assert!(html.matches("<h1>").count() == 1 && !html.contains("1 bug"), "{html}");
    assert!(html.contains(&format!("data-path=\"{}\" data-line=\"", path.display())), "{html}");
    let rule = &titled(&all, "Explain deadlock")["command"]["arguments"];
    let params = json!({ "command": "tsvd-check.explain", "arguments": rule });
    let page = client.request("workspace/executeCommand", params);
    assert!(page["markdown"].as_str().unwrap().starts_with("# deadlock\n"), "{page:#}");
    client.stop();
}

/// An edit whose positions are those of an older text would damage the new one.
#[test]
fn no_edit_is_offered_for_a_text_that_has_changed() {
    let text = bank();
    let folder = package(&text);
    let mut client = client(&folder, &text);
    let finding = client.diagnostics[FILE][0].clone();
    let params = json!({
        "textDocument": document(&folder), "range": finding["range"], "context": { "diagnostics": [finding] },
    });
    // Both are in the server's queue before anything is analysed again.
    client.change(FILE, &format!("// new\n{text}"));
    let actions = client.request("textDocument/codeAction", params);
    assert!(actions.as_array().unwrap().iter().all(|it| it["edit"].is_null()), "{actions:#}");
    client.stop();
}

#[test]
fn the_client_hears_whether_the_server_is_at_work() {
    let text = bank();
    let folder = package(&text);
    let mut client = client(&folder, &text);
    client.wait("the end of the work", |it| it.statuses.last().is_some_and(|it| it["quiescent"] == true));
    let messages: Vec<&str> = client.statuses.iter().map(|it| it["message"].as_str().unwrap()).collect();
    assert_eq!(messages[..2], ["loading the project", "exploring schedules"]);
    assert!(messages.windows(2).all(|two| two[0] != two[1]), "only changes: {messages:?}");
    assert!(
        client.statuses.iter().all(|it| (it["quiescent"] == true) == (it["message"] == "all entries are explored"))
    );
    client.stop();
}
