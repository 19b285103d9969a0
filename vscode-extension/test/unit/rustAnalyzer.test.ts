import assert from "node:assert/strict";
import { test } from "node:test";
import { showsFindings } from "../../src/rustAnalyzer";

const nothing = { checkOnSave: undefined, command: undefined, overrideCommand: undefined };

test("rust-analyzer that runs cargo tsvd", () => {
  assert.ok(showsFindings({ ...nothing, command: "tsvd" }));
  assert.ok(showsFindings({ ...nothing, checkOnSave: true, command: "tsvd", overrideCommand: null }));
  assert.ok(showsFindings({ ...nothing, checkOnSave: { command: "tsvd" } }));
  assert.ok(showsFindings({ ...nothing, command: "check", overrideCommand: ["cargo", "tsvd", "--message-format=json"] }));
});

test("rust-analyzer that does not", () => {
  assert.ok(!showsFindings(nothing));
  assert.ok(!showsFindings({ ...nothing, checkOnSave: true, command: "clippy" }));
  assert.ok(!showsFindings({ ...nothing, checkOnSave: false, command: "tsvd" }));
  assert.ok(!showsFindings({ ...nothing, checkOnSave: { enable: false, command: "tsvd" } }));
  assert.ok(!showsFindings({ ...nothing, command: "tsvd", overrideCommand: ["cargo", "check"] }));
});
