import assert from "node:assert/strict";
import { test } from "node:test";
import { setValue, sharedSettings, showsFindings } from "../../src/rustAnalyzer";

const nothing = { checkOnSave: undefined, command: undefined, overrideCommand: undefined };

test("rust-analyzer that runs cargo tsvd", () => {
  assert.ok(showsFindings({ ...nothing, command: "tsvd" }));
  assert.ok(showsFindings({ ...nothing, checkOnSave: true, command: "tsvd", overrideCommand: null }));
  assert.ok(showsFindings({ ...nothing, checkOnSave: { command: "tsvd" } }));
  assert.ok(showsFindings({ ...nothing, command: "check", overrideCommand: ["cargo", "tsvd", "--message-format=json"] }));
  assert.ok(showsFindings({ ...nothing, overrideCommand: ["/home/me/.cargo/bin/cargo-tsvd", "--message-format=json"] }));
  assert.ok(showsFindings({ ...nothing, overrideCommand: ["C:\\bin\\cargo-tsvd.exe"] }));
});

test("rust-analyzer that does not", () => {
  assert.ok(!showsFindings(nothing));
  assert.ok(!showsFindings({ ...nothing, checkOnSave: true, command: "clippy" }));
  assert.ok(!showsFindings({ ...nothing, checkOnSave: false, command: "tsvd" }));
  assert.ok(!showsFindings({ ...nothing, checkOnSave: { enable: false, command: "tsvd" } }));
  assert.ok(!showsFindings({ ...nothing, command: "tsvd", overrideCommand: ["cargo", "check"] }));
});

test("settings that hold for both", () => {
  const set: Record<string, unknown> = {
    "cargo.features": ["sell"],
    "cargo.target": "aarch64-apple-darwin",
    linkedProjects: ["one/Cargo.toml"],
    "files.exclude": ["vendor"],
  };
  assert.deepEqual(sharedSettings((name) => set[name]), {
    cargo: { features: ["sell"], target: "aarch64-apple-darwin" },
    linkedProjects: ["one/Cargo.toml"],
    files: { exclude: ["vendor"] },
  });
  assert.deepEqual(sharedSettings(() => undefined), {});
  assert.deepEqual(sharedSettings(() => null), {});
  // Neither trust nor commands come from there.
  assert.deepEqual(Object.keys(sharedSettings(() => "x")).sort(), ["cargo", "files", "linkedProjects"]);
});

test("only what is set counts, not the defaults of another extension", () => {
  assert.equal(setValue(undefined), undefined);
  assert.equal(setValue({ globalValue: "a", workspaceValue: "b" }), "b");
  assert.equal(setValue({ globalValue: "a" }), "a");
});
