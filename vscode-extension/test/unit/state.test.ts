import assert from "node:assert/strict";
import { test } from "node:test";
import { idOf, ruleOf, tabTitle, textField } from "../../src/finding";
import { type State, shown, stateOfAnswer, stateOfNotification } from "../../src/state";

test("the server's own notification", () => {
  assert.deepEqual(stateOfNotification({ health: "ok", quiescent: true }), { kind: "idle", message: undefined });
  assert.deepEqual(stateOfNotification({ health: "ok", quiescent: false, message: "m" }), { kind: "analysing", message: "m" });
  assert.deepEqual(stateOfNotification({ health: "warning", quiescent: true, message: "m" }), { kind: "warning", message: "m" });
  assert.deepEqual(stateOfNotification({ health: "error", quiescent: true }), { kind: "failed", message: "tsvd-check: see the log" });
  for (const params of [undefined, null, 3, {}, { health: "fine" }]) {
    assert.equal(stateOfNotification(params), undefined);
  }
});

test("the answer to the request", () => {
  assert.deepEqual(stateOfAnswer({ isIdle: true, explored: 3 }), { kind: "idle" });
  assert.deepEqual(stateOfAnswer({ isIdle: false }), { kind: "analysing" });
  assert.equal(stateOfAnswer(null), undefined);
});

test("each state looks different", () => {
  const states: State[] = [
    ...(["starting", "analysing", "idle", "stopped"] as const).map((kind) => ({ kind })),
    ...(["warning", "failed"] as const).map((kind) => ({ kind, message: "m" })),
  ];
  assert.equal(new Set(states.map((state) => shown(state).text)).size, states.length);
});

test("what a diagnostic and an answer carry", () => {
  assert.equal(idOf({ data: { id: "1f3e2a" } }), "1f3e2a");
  for (const diagnostic of [{}, { data: null }, { data: { id: 3 } }, { data: { id: "" } }]) {
    assert.equal(idOf(diagnostic), undefined);
  }
  assert.equal(ruleOf("deadlock"), "deadlock");
  assert.equal(ruleOf({ value: "deadlock", target: "x" }), "deadlock");
  assert.equal(ruleOf(3), undefined);
  assert.equal(textField({ markdown: "# a" }, "markdown"), "# a");
  assert.equal(textField(null, "markdown"), undefined);
});

test("titles of tabs", () => {
  assert.equal(tabTitle("`main` waits"), "main waits");
  const title = tabTitle("`main` and thread 1 (started at main.rs:21) each hold a lock the other waits for");
  assert.equal(title, "main and thread 1 (started at main.rs:2…");
});
