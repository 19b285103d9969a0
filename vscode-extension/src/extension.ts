// tsvd-check in VS Code: starts the language server and shows what it finds.

import * as vscode from "vscode";
import { Server } from "./client";
import { Explanations } from "./explain";
import { explore, exploreFile, exploreTest } from "./explore";
import { Interleavings } from "./interleaving";
import { showsFindings } from "./rustAnalyzer";
import { AT_START, AT_START_OF_RUST_ANALYZER, openSettings } from "./settings";
import { statusItem } from "./status";

/** Where it is kept that the user does not want to be warned of rust-analyzer's settings. */
const NOT_AGAIN = "rustAnalyzerMayShowFindings";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("tsvd-check", { log: true });
  const started = new Server(context.extensionPath, log);
  server = started;
  const explanations = new Explanations(started);
  const interleavings = new Interleavings(started, vscode.Uri.joinPath(context.extensionUri, "icon.png"));
  context.subscriptions.push(
    log,
    statusItem(started.onState),
    explanations,
    interleavings,
    vscode.commands.registerCommand("tsvd-check.restartServer", () => started.restart()),
    vscode.commands.registerCommand("tsvd-check.openSettings", openSettings),
    vscode.commands.registerCommand("tsvd-check.showLog", () => log.show()),
    vscode.commands.registerCommand("tsvd-check.explainRule", (rule: unknown) => explanations.explain(rule)),
    vscode.commands.registerCommand("tsvd-check.showInterleaving", (id: unknown) => interleavings.show(id)),
    vscode.commands.registerCommand("tsvd-check.explore", (uri: unknown, entry: unknown) => explore(started, uri, entry)),
    vscode.commands.registerCommand("tsvd-check.exploreFile", () => exploreFile(started)),
    vscode.commands.registerCommand("tsvd-check.exploreTest", () => exploreTest(started)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if ([...AT_START, ...AT_START_OF_RUST_ANALYZER].some((setting) => change.affectsConfiguration(setting))) {
        void started.restart();
      }
      if (change.affectsConfiguration("rust-analyzer")) {
        void warnOfDuplicates(context);
      }
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.languageId === "rust") {
        void started.look(editor.document.uri);
      }
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.languageId === "rust") {
        started.watch();
      }
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === "rust") {
        started.watch();
      }
    }),
  );
  void started.restart();
  void warnOfDuplicates(context);
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}

let isWarned = false;

/** Says once that rust-analyzer shows the same findings. */
async function warnOfDuplicates(context: vscode.ExtensionContext): Promise<void> {
  const section = vscode.workspace.getConfiguration("rust-analyzer");
  const check = {
    checkOnSave: section.get<unknown>("checkOnSave"),
    command: section.get<unknown>("check.command"),
    overrideCommand: section.get<unknown>("check.overrideCommand"),
  };
  if (isWarned || context.globalState.get(NOT_AGAIN) === true || !showsFindings(check)) {
    return;
  }
  isWarned = true;
  const choice = await vscode.window.showWarningMessage(
    "Findings of tsvd-check show twice: rust-analyzer runs cargo tsvd, too (rust-analyzer.check.command). " +
      "Change that setting, or disable this extension.",
    "Open settings",
    "Don't show again",
  );
  if (choice === "Open settings") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "rust-analyzer.check");
  } else if (choice === "Don't show again") {
    await context.globalState.update(NOT_AGAIN, true);
  }
}
