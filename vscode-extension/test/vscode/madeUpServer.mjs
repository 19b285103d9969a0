// A language server with one finding, which answers everything that the extension can ask for.
// Usage: node madeUpServer.mjs PAGE ...   PAGE is the HTML page that it gives for an interleaving.

import { readFileSync } from "node:fs";

const page = readFileSync(process.argv[2], "utf8");
const EXPLANATION = "# deadlock\n\n## What it says\n\nThreads wait for each other's locks.\n\n```rust\nfn main() {}\n```\n";

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function finding() {
  return {
    range: { start: { line: 9, character: 21 }, end: { line: 9, character: 35 } },
    severity: 1,
    code: "deadlock",
    source: "tsvd-check",
    message: "`main` and `thread 1` each hold a lock the other waits for",
    data: { id: "1f3e2a" },
  };
}

function answer({ id, method, params }) {
  switch (method) {
    case "initialize": {
      const executeCommandProvider = { commands: ["tsvd-check.explain", "tsvd-check.interleaving"] };
      return { id, result: { capabilities: { textDocumentSync: 1, codeActionProvider: true, executeCommandProvider } } };
    }
    case "textDocument/codeAction": {
      const commands = [
        { title: "Show the interleaving", command: "tsvd-check.showInterleaving", arguments: ["1f3e2a"] },
        { title: "Explain deadlock", command: "tsvd-check.explainRule", arguments: ["deadlock"] },
      ];
      const diagnostics = params.context.diagnostics;
      return { id, result: commands.map((command) => ({ title: command.title, kind: "quickfix", command, diagnostics })) };
    }
    case "workspace/executeCommand":
      if (params.command === "tsvd-check.explain" && params.arguments[0] === "deadlock") {
        return { id, result: { markdown: EXPLANATION } };
      }
      if (params.command === "tsvd-check.interleaving" && params.arguments[0] === "1f3e2a") {
        return { id, result: { title: "deadlock: transfer", markdown: "", html: page } };
      }
      return { id, error: { code: -32602, message: `unknown: ${JSON.stringify(params)}` } };
    case "shutdown":
      return { id, result: null };
    default:
      return { id, error: { code: -32601, message: `${method} is not offered` } };
  }
}

function handle(message) {
  if (message.method === "exit") {
    process.exit(0);
  } else if (message.id !== undefined && message.method !== undefined) {
    send(answer(message));
  } else if (message.method === "textDocument/didOpen") {
    const { uri } = message.params.textDocument;
    send({ method: "experimental/serverStatus", params: { health: "ok", quiescent: false } });
    send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: [finding()] } });
    send({ method: "experimental/serverStatus", params: { health: "warning", quiescent: true, message: "1 crate is missing" } });
  }
}

let input = Buffer.alloc(0);
process.stdin.on("data", (data) => {
  input = Buffer.concat([input, data]);
  for (;;) {
    const header = input.indexOf("\r\n\r\n");
    const length = Number(/Content-Length: (\d+)/i.exec(input.toString("latin1", 0, Math.max(header, 0)))?.[1]);
    if (header < 0 || input.length < header + 4 + length) {
      return;
    }
    const body = input.toString("utf8", header + 4, header + 4 + length);
    input = input.subarray(header + 4 + length);
    handle(JSON.parse(body));
  }
});
process.stdin.on("end", () => process.exit(1));
