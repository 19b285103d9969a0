import assert from "node:assert/strict";
import { test } from "node:test";
import { pageForWebview, postedPlace, utf16Column } from "../../src/page";

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>a &lt;/head&gt; $& title</title>
<style>
:root { --text: #000; }
</style>
</head>
<body>
<a data-path="/p/src/main.rs" data-line="11" data-column="9">main.rs:11</a>
</body>
</html>
`;

test("only the script with the nonce may run", () => {
  const page = pageForWebview(PAGE, "0123abcd");
  const policies = page.match(/http-equiv="Content-Security-Policy" content="[^"]*"/g) ?? [];
  assert.equal(policies.length, 1);
  assert.match(policies[0] ?? "", /default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-0123abcd';/);
  assert.deepEqual(page.match(/<script[^>]*>/g), ['<script nonce="0123abcd">']);
  assert.doesNotMatch(policies[0] ?? "", /https?:|\*|unsafe-eval/);
});

test("the policy comes first, the theme's colours after the page's own, the script last", () => {
  const page = pageForWebview(PAGE, "n");
  const at = (text: string): number => page.indexOf(text);
  assert.ok(at("<head>") < at("script-src") && at("script-src") < at("charset"));
  assert.ok(at("--text: #000") < at("--text: var(--vscode-editor-foreground)"));
  assert.ok(at("var(--vscode-editor-foreground)") < at("</head>"));
  assert.ok(at('data-path="/p') < at("<script") && at("</script>") < at("</body>"));
  for (const name of ["text", "muted", "page", "card", "line", "error", "warning", "note", "mark"]) {
    assert.ok(page.includes(`--${name}: var(--vscode-`), name);
  }
});

test("what the page says stays as it is", () => {
  const page = pageForWebview(PAGE, "n");
  assert.ok(page.includes("<title>a &lt;/head&gt; $& title</title>"));
  assert.ok(page.includes('<a data-path="/p/src/main.rs" data-line="11" data-column="9">main.rs:11</a>'));
});

test("a page without head and body is guarded, too", () => {
  const page = pageForWebview("<p>text</p>", "n");
  assert.ok(page.startsWith('<meta http-equiv="Content-Security-Policy"'));
  assert.ok(page.includes("<p>text</p>") && page.includes("--vscode-editor-foreground") && page.includes('<script nonce="n">'));
});

test("places that are posted", () => {
  assert.deepEqual(postedPlace({ path: "/a.rs", line: 3, column: 5 }), { path: "/a.rs", line: 3, column: 5 });
  assert.deepEqual(postedPlace({ path: "/a.rs", line: Number.NaN }), { path: "/a.rs", line: 1, column: 1 });
  assert.deepEqual(postedPlace({ path: "/a.rs", line: -3, column: 1.5 }), { path: "/a.rs", line: 1, column: 1 });
  for (const message of [undefined, null, "x", {}, { path: "" }, { path: 3, line: 1 }]) {
    assert.equal(postedPlace(message), undefined);
  }
});

test("columns count characters there and UTF-16 here", () => {
  assert.equal(utf16Column("abc", 1), 0);
  assert.equal(utf16Column("a𝄞b", 3), 3);
  assert.equal(utf16Column("ab", 99), 2);
});
