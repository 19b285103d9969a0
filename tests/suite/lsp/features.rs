//! What is negotiated with the client: who asks for diagnostics, how columns are counted.

use crate::support::{Folder, client::Client};
use serde_json::{Value, json};

const MANIFEST: &str = "[package]\nname = \"shop\"\nedition = \"2024\"\n";
const FILE: &str = "src/main.rs";

/// A race in a line with characters of all widths before it.
const RACY: &str = "static mut SOLD: u32 = 0;

fn main() {
    let _ = \"é𝄞\"; let t = std::thread::spawn(|| unsafe { SOLD += 1 });
    unsafe { SOLD += 1 }
    t.join().unwrap();
}
";

fn package(text: &str) -> Folder {
    Folder::new(&[("Cargo.toml", MANIFEST), (FILE, text)])
}

fn pulling() -> Value {
    json!({
        "textDocument": { "diagnostic": { "dynamicRegistration": true }, "publishDiagnostics": { "relatedInformation": true } },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    })
}

#[test]
fn columns_are_counted_as_the_client_wants() {
    let folder = package(RACY);
    for (offered, chosen, widths) in [
        (json!(["utf-8"]), "utf-8", [2, 4]),
        (json!(["utf-32", "utf-8", "utf-16"]), "utf-32", [1, 1]),
        (json!(["utf-16", "utf-8"]), "utf-16", [1, 2]),
        (json!(["utf-7"]), "utf-16", [1, 2]),
        (Value::Null, "utf-16", [1, 2]),
    ] {
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let mut client = Client::start_with(folder.path(), &capabilities);
        assert_eq!(client.offered["capabilities"]["positionEncoding"], chosen, "{offered}");
        client.open(FILE, RACY);
        // An edit behind the wide characters: one more space before the access.
        let column = "    let _ = \"".len() + widths[0] + widths[1] + "\"; ".len();
        let at = json!({ "line": 3, "character": column });
        client.edit(FILE, json!({ "range": { "start": at, "end": at }, "text": " " }));
        let start = column + " let t = std::thread::spawn(|| unsafe { ".len();
        client.wait("the race", |it| {
            let found = it.diagnostics.get(FILE).and_then(Value::as_array).into_iter().flatten();
            let mut lines = found.map(|it| &it["range"]["start"]).filter(|it| it["line"] == 3);
            lines.any(|it| it["character"] == start)
        });
        let hover = json!({
            "textDocument": { "uri": client.uri(FILE) }, "position": { "line": 3, "character": start },
        });
        assert!(client.request("textDocument/hover", hover)["contents"]["value"].is_string());
        client.stop();
    }
}

fn pull(client: &mut Client, known: &Value) -> Value {
    let document = json!({ "uri": client.uri(FILE) });
    client.request("textDocument/diagnostic", json!({ "textDocument": document, "previousResultId": known }))
}

#[test]
fn a_client_that_asks_for_diagnostics() {
    let folder = package("fn main() {}\n");
    let mut client = Client::start_with(folder.path(), &pulling());
    let offered = &client.offered["capabilities"]["diagnosticProvider"];
    assert_eq!((&offered["interFileDependencies"], &offered["workspaceDiagnostics"]), (&json!(true), &json!(true)));
    client.open(FILE, "fn main() {}\n");
    client.idle();
    let none = pull(&mut client, &Value::Null);
    assert_eq!((&none["kind"], &none["items"]), (&json!("full"), &json!([])));
    assert_eq!(pull(&mut client, &none["resultId"])["kind"], "unchanged");
    // Findings come later than the answer: the client is told to ask again.
    client.change(FILE, RACY);
    client.wait("a refresh", |it| it.asked.iter().any(|it| it == "workspace/diagnostic/refresh"));
    let found = pull(&mut client, &none["resultId"]);
    assert_eq!(found["items"][0]["code"], "data-race", "{found:#}");
    assert!(found["items"][0]["relatedInformation"].is_array());
    client.idle();
    assert_eq!(pull(&mut client, &found["resultId"])["kind"], "unchanged");
    // A request right behind an edit gets the positions of that text.
    client.change(FILE, &format!("// The shop.\n{RACY}"));
    let moved = pull(&mut client, &found["resultId"]);
    let line = |it: &Value| it["items"][0]["range"]["start"]["line"].as_u64().unwrap();
    assert_eq!(line(&moved), line(&found) + 1, "{moved:#}");
    client.idle();
    // Never both.
    assert!(client.published.is_empty(), "{:?}", client.published);
    // Files that are not open, too; a request with nothing new waits until it is cancelled.
    let all = client.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    assert_eq!(all["items"][0]["items"][0]["code"], "data-race", "{all:#}");
    let known = json!([{ "uri": all["items"][0]["uri"], "value": all["items"][0]["resultId"] }]);
    let id = client.begin("workspace/diagnostic", json!({ "previousResultIds": known }));
    client.notify("$/cancelRequest", json!({ "id": 1_000 }));
    client.change(FILE, "fn main() {}\n");
    let mut gone = client.finish("workspace/diagnostic", &id).unwrap();
    // A finding stays until what the edit concerns is explored.
    while gone["items"][0]["items"] != json!([]) {
        let known = json!([{ "uri": gone["items"][0]["uri"], "value": gone["items"][0]["resultId"] }]);
        gone = client.request("workspace/diagnostic", json!({ "previousResultIds": known }));
    }
    let id = client.begin("workspace/diagnostic", json!({ "previousResultIds": [] }));
    client.notify("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.finish("workspace/diagnostic", &id).unwrap_err().code, -32800);
    client.stop();
}

/// Findings come long after an answer: a client that cannot be told to ask again gets them unasked.
#[test]
fn a_client_that_cannot_be_told_to_ask_again() {
    let folder = package(RACY);
    let mut client = Client::start_with(folder.path(), &json!({ "textDocument": { "diagnostic": {} } }));
    assert!(client.offered["capabilities"]["diagnosticProvider"].is_null());
    client.open(FILE, RACY);
    client.wait("the race", |it| !it.findings(FILE).is_empty());
    client.stop();
}

#[test]
fn entries_that_are_left_out_are_named() {
    let tests: String = (0..4_003).map(|it| format!("#[test]fn t{it}(){{}}\n")).collect();
    let folder = package(&format!("fn main() {{}}\n{tests}"));
    let mut client =
        Client::start_with(folder.path(), &json!({ "experimental": { "serverStatusNotification": true } }));
    let text = "shop: 3 tests are not run: there are too many";
    client.wait("the message", |it| it.logged.contains(&format!("tsvd-check: {text}")));
    client.stop();
}

/// A rule's name links to its page, a file in the user's cache, where the client shows such links and the cache can be
/// written.
#[test]
fn a_link_to_the_page_of_the_rule() {
    let capabilities = json!({ "textDocument": { "publishDiagnostics": { "codeDescriptionSupport": true } } });
    let description = |folder: &Folder, capabilities: &Value| {
        let mut client = Client::start_with(folder.path(), capabilities);
        client.open(FILE, RACY);
        client.wait("the race", |it| !it.findings(FILE).is_empty());
        let found = client.diagnostics[FILE][0]["codeDescription"].clone();
        client.stop();
        found
    };
    let folder = package(RACY);
    let pages = folder.path().join(".cache/tsvd-check/rules");
    assert_eq!(description(&folder, &json!({})), Value::Null);
    assert!(!pages.exists());

    let said = description(&folder, &capabilities);
    let page = pages.join("data-race.md");
    assert_eq!(said["href"], format!("file://{}", page.display()));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.lines().any(|it| it == "# data-race") && text.contains("## How to fix it"), "{text}");
    // A page of another version is replaced, and a foreign file in its place stays.
    std::fs::write(&page, text.replace("# data-race", "# an old page")).unwrap();
    assert_eq!(description(&folder, &capabilities), said);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), text);
    std::fs::write(&page, "mine").unwrap();
    assert_eq!(description(&folder, &capabilities), Value::Null);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "mine");

    let folder = package(RACY);
    std::fs::write(folder.path().join(".cache"), "no folder").unwrap();
    assert_eq!(description(&folder, &capabilities), Value::Null);
}
