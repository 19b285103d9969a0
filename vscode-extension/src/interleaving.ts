// The view of an interleaving: a page of the server's, with a lane for each thread.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Server } from "./client";
import { findingsAtCursor, findingsInView } from "./cursor";
import { idOf, tabTitle, textField } from "./finding";
import { type Place, pageForWebview, postedPlace, utf16Column } from "./page";

export class Interleavings implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly server: Server,
    private readonly icon: vscode.Uri,
  ) {}

  dispose(): void {
    this.panel?.dispose();
  }

  /** Shows the interleaving of a finding; of the one at the cursor if none is named. */
  async show(named: unknown): Promise<void> {
    const id = typeof named === "string" ? named : await findingToShow();
    if (id === undefined) {
      return;
    }
    const answer = await this.server.execute("tsvd-check.interleaving", id);
    const html = textField(answer, "html");
    if (html === undefined) {
      return;
    }
    const panel = this.open();
    panel.title = tabTitle(textField(answer, "title") ?? "Interleaving");
    panel.webview.html = pageForWebview(html, randomBytes(16).toString("hex"));
  }

  private open(): vscode.WebviewPanel {
    if (this.panel !== undefined) {
      this.panel.reveal(undefined, true);
      return this.panel;
    }
    const panel = vscode.window.createWebviewPanel(
      "tsvd-check.interleaving",
      "Interleaving",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, enableFindWidget: true, localResourceRoots: [] },
    );
    panel.iconPath = this.icon;
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const place = postedPlace(message);
      if (place !== undefined) {
        void reveal(place, panel.viewColumn);
      }
    });
    this.panel = panel;
    return panel;
  }
}

/** The id of the finding at the cursor; the user chooses if there are several, or says why there is none. */
async function findingToShow(): Promise<string | undefined> {
  const here = findingsAtCursor();
  const found = here.length > 0 ? here : findingsInView();
  if (found.length === 0) {
    void vscode.window.showInformationMessage("tsvd-check: there is no finding in this file.");
    return undefined;
  }
  const items = found.flatMap((it) => {
    const id = idOf(it);
    const label = (it.message.split("\n", 1)[0] ?? "").replaceAll("`", "");
    return id === undefined ? [] : [{ label, description: `line ${it.range.start.line + 1}`, id }];
  });
  if (items.length === 0) {
    void vscode.window.showWarningMessage(
      "tsvd-check: this version of the server does not offer interleavings yet. Install a newer one.",
    );
    return undefined;
  }
  if (items.length === 1 && here.length > 0) {
    return items[0]?.id;
  }
  return (await vscode.window.showQuickPick(items, { placeHolder: "Which finding?" }))?.id;
}

/** Opens the source beside the view. */
async function reveal(place: Place, column: vscode.ViewColumn | undefined): Promise<void> {
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place.path));
    const line = Math.min(place.line, document.lineCount) - 1;
    const position = new vscode.Position(line, utf16Column(document.lineAt(line).text, place.column));
    // The view stays where it is: the source goes into the first column, or beside the view if that is there.
    const beside = column === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(document, beside);
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showWarningMessage(`tsvd-check: ${place.path} cannot be opened: ${reason}`);
  }
}
