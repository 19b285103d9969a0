// Findings where the user is.

import * as vscode from "vscode";
import { SOURCE } from "./finding";

/** The findings of the file in view. */
export function findingsInView(): vscode.Diagnostic[] {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri === undefined ? [] : vscode.languages.getDiagnostics(uri).filter((it) => it.source === SOURCE);
}

/** Those at the cursor, or else on its line. */
export function findingsAtCursor(): vscode.Diagnostic[] {
  const cursor = vscode.window.activeTextEditor?.selection.active;
  if (cursor === undefined) {
    return [];
  }
  const found = findingsInView();
  const at = found.filter((it) => it.range.contains(cursor));
  return at.length > 0 ? at : found.filter((it) => it.range.start.line <= cursor.line && cursor.line <= it.range.end.line);
}
