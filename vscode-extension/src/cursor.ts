// Findings where the user is.

import * as vscode from "vscode";
import { SOURCE } from "./finding";

/** The findings that the file in view shows. */
export function findingsInView(): vscode.Diagnostic[] {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri === undefined ? [] : vscode.languages.getDiagnostics(uri).filter((it) => it.source === SOURCE);
}

/** Those with a place at the cursor, or else with one on its line. */
export function findingsAtCursor(): vscode.Diagnostic[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return [];
  }
  const cursor = editor.selection.active;
  const uri = editor.document.uri.toString();
  const has = (isThere: (range: vscode.Range) => boolean): vscode.Diagnostic[] =>
    all().filter(([of, it]) => {
      const others = it.relatedInformation?.map(({ location }) => location) ?? [];
      const places = [{ uri: of, range: it.range }, ...others];
      return places.some((place) => place.uri.toString() === uri && isThere(place.range));
    }).map(([, it]) => it);
  const at = has((range) => range.contains(cursor));
  return at.length > 0 ? at : has((range) => range.start.line <= cursor.line && cursor.line <= range.end.line);
}

/** The findings of all files. */
function all(): Array<[vscode.Uri, vscode.Diagnostic]> {
  return vscode.languages.getDiagnostics().flatMap(([uri, found]) =>
    found.filter((it) => it.source === SOURCE).map((it): [vscode.Uri, vscode.Diagnostic] => [uri, it]),
  );
}
