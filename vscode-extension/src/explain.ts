// Explanations of rules, in VS Code's own Markdown preview.

import * as vscode from "vscode";
import type { Server } from "./client";
import { findingsAtCursor } from "./cursor";
import { ruleOf, textField } from "./finding";
import { RULES } from "./rules";

const SCHEME = "tsvd-check-rule";

export class Explanations implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly pages = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly server: Server) {}

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path) ?? "";
  }

  /** Explains a rule; asks which one if none is named. */
  async explain(named: unknown): Promise<void> {
    const rule = typeof named === "string" ? named : await askForRule();
    if (rule === undefined) {
      return;
    }
    const answer = await this.server.execute("tsvd-check.explain", rule);
    const page = textField(answer, "markdown");
    if (page === undefined) {
      return;
    }
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${rule}.md` });
    this.pages.set(uri.path, page);
    this.changes.fire(uri);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  }
}

/** The rules, that of the finding at the cursor first. */
async function askForRule(): Promise<string | undefined> {
  const here = findingsAtCursor().map((it) => ruleOf(it.code));
  const items = RULES.map(({ name, reports }) => ({ label: name, detail: reports, isHere: here.includes(name) }));
  items.sort((one, two) => Number(two.isHere) - Number(one.isHere));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: "Which rule?", matchOnDetail: true });
  return chosen?.label;
}
