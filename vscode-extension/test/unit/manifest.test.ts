import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RULES } from "../../src/rules";

interface Manifest {
  readonly version: string;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope: string; readonly markdownDescription: string }>> };
    readonly commands: ReadonlyArray<{ readonly command: string }>;
  };
}

// The tests are bundled into dist/test.
const root = join(__dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
const properties = manifest.contributes.configuration.properties;

test("a repository cannot set what the server runs with", () => {
  const own = Object.keys(properties).filter((name) => name !== "tsvd-check.trace.server");
  assert.deepEqual([...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort(), own.sort());
  for (const name of own) {
    assert.equal(properties[name]?.scope, "machine", name);
  }
});

test("the page for users lists every setting", () => {
  const page = readFileSync(join(root, "README.md"), "utf8");
  for (const [name, { markdownDescription }] of Object.entries(properties)) {
    assert.ok(page.includes(`| \`${name}\` |`), name);
    assert.match(markdownDescription, /\.$/, name);
  }
});

test("every command is registered", () => {
  const source = readFileSync(join(root, "src/extension.ts"), "utf8");
  for (const { command } of manifest.contributes.commands) {
    assert.ok(source.includes(`registerCommand("${command}"`), command);
  }
});

test("the rules are those of the server", () => {
  const pages = readdirSync(join(root, "../analyzer/src/rules")).filter((name) => name.endsWith(".md"));
  const names = pages.map((name) => name.replace(".md", "").replaceAll("_", "-")).sort();
  assert.deepEqual(RULES.map((rule) => rule.name), names);
});

test("the version is that of the server", () => {
  const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "../Cargo.toml"), "utf8"))?.[1];
  assert.equal(manifest.version, version);
});
