// Explorations with many schedules: of a code lens, a test, a file. The server shows how far it is, and what it found.

import * as vscode from "vscode";
import type { Server } from "./client";
import { lensAt } from "./lens";

/** What a code lens names: a test, or a function that starts threads. */
export async function explore(server: Server, uri: unknown, entry: unknown): Promise<void> {
  if (typeof uri === "string" && typeof entry === "string") {
    await server.execute("tsvd-check.explore", uri, entry);
  }
}

/** Everything that starts in the file in view, or runs through it. */
export async function exploreFile(server: Server): Promise<void> {
  const document = rustInView();
  if (document !== undefined) {
    await server.execute("tsvd-check.exploreFile", document.uri.toString());
  }
}

/** The test, or the function that starts threads, at the cursor. */
export async function exploreTest(server: Server): Promise<void> {
  const document = rustInView();
  const line = vscode.window.activeTextEditor?.selection.active.line;
  if (document === undefined || line === undefined) {
    return;
  }
  const lens = lensAt(await server.lenses(document.uri), line);
  if (lens === undefined) {
    void vscode.window.showInformationMessage("tsvd-check: no test and no function that starts threads is at the cursor.");
    return;
  }
  await server.execute(lens.command, ...lens.args);
}

function rustInView(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === "rust") {
    return document;
  }
  void vscode.window.showInformationMessage("tsvd-check: open a Rust file first.");
  return undefined;
}
