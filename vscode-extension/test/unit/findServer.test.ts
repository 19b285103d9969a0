import assert from "node:assert/strict";
import { test } from "node:test";
import { RestartPolicy, failureMessage, findServer, type Machine, serverArguments, serverEnvironment } from "../../src/findServer";

function machine(programs: string[], searchPath = "", platform: NodeJS.Platform = "linux"): Machine {
  return { platform, home: "/home/me", searchPath, isProgram: (file) => programs.includes(file) };
}

test("the setting wins over the bundled program, that over PATH", () => {
  const all = machine(["/own/tsvd-check", "/ext/server/tsvd-check", "/bin/tsvd-check"], "/usr/bin:/bin");
  assert.deepEqual(findServer("/own/tsvd-check", "/ext", all), { kind: "found", program: "/own/tsvd-check", origin: "setting" });
  assert.deepEqual(findServer(" ", "/ext", all), { kind: "found", program: "/ext/server/tsvd-check", origin: "bundled" });
  assert.deepEqual(findServer("", "/other", all), { kind: "found", program: "/bin/tsvd-check", origin: "PATH" });
});

test("a tilde is the home folder", () => {
  const found = findServer("~/bin/tsvd-check", "/ext", machine(["/home/me/bin/tsvd-check"]));
  assert.deepEqual(found, { kind: "found", program: "/home/me/bin/tsvd-check", origin: "setting" });
});

test("a wrong setting is named, and nothing else is started", () => {
  const programs = machine(["/bin/tsvd-check", "target/tsvd-check"], "/bin");
  for (const [setting, words] of [
    ["/not/there", /"\/not\/there", which is not a program/],
    ["target/tsvd-check", /Write an absolute path/],
  ] as const) {
    const found = findServer(setting, "/ext", programs);
    assert.equal(found.kind, "missing");
    assert.match(found.message, /tsvd-check\.server\.path/);
    assert.match(found.message, words);
  }
});

test("relative folders on PATH are not searched", () => {
  const found = findServer("", "/ext", machine(["tsvd-check", "bin/tsvd-check", "./tsvd-check"], ":.:bin"));
  assert.equal(found.kind, "missing");
  assert.match(found.message, /not found.*Install.*PATH.*tsvd-check\.server\.path/);
});

test("Windows", () => {
  const windows = machine(["C:\\tools\\tsvd-check.exe", "C:\\ext\\server\\tsvd-check.exe"], "C:\\x;C:\\tools", "win32");
  const bundled = findServer("", "C:\\ext", windows);
  assert.deepEqual(bundled, { kind: "found", program: "C:\\ext\\server\\tsvd-check.exe", origin: "bundled" });
  const onPath = findServer("", "C:\\other", windows);
  assert.deepEqual(onPath, { kind: "found", program: "C:\\tools\\tsvd-check.exe", origin: "PATH" });
});

test("arguments and environment", () => {
  assert.deepEqual(serverArguments(""), ["lsp"]);
  assert.deepEqual(serverArguments(" 4GB "), ["lsp", "--memory", "4GB"]);
  assert.deepEqual(serverEnvironment({ A: "1", B: "2" }, { B: "3", C: 4 }), { A: "1", B: "3" });
  assert.deepEqual(serverEnvironment({ A: "1" }, undefined), { A: "1" });
});

test("a failure quotes what the server said", () => {
  const words = ["error: invalid value 'x' for '--memory <SIZE>'", "", "For more information, try '--help'."];
  const message = failureMessage("/bin/tsvd-check", "did not start", words);
  assert.equal(message, `tsvd-check: the server "/bin/tsvd-check" did not start: ${words[0]}`);
  assert.match(failureMessage("/x", "did not start", ["first", "last", ""]), /did not start: last$/);
  assert.equal(failureMessage("/x", "did not start", []), 'tsvd-check: the server "/x" did not start.');
});

test("a server that ends is started again, but not for ever", () => {
  const quick = new RestartPolicy(2, 1000);
  assert.deepEqual([0, 1, 2].map((now) => quick.ended(now)), [true, true, false]);
  const slow = new RestartPolicy(2, 1000);
  assert.deepEqual([0, 900, 1800, 2700].map((now) => slow.ended(now)), [true, true, true, true]);
});
