// The user's settings.

import * as vscode from "vscode";
import { SHARED, setValue, sharedSettings } from "./rustAnalyzer";

export const SECTION = "tsvd-check";

/** The settings that take effect when the server starts. */
export const AT_START = ["server.path", "server.extraEnv", "server.memory"].map((name) => `${SECTION}.${name}`);

/** Those of rust-analyzer that do, too. */
export const AT_START_OF_RUST_ANALYZER = SHARED.map((name) => `rust-analyzer.${name}`);

export interface Settings {
  readonly path: string;
  readonly extraEnv: unknown;
  readonly memory: string;
  readonly trust: string;
}

export function settings(): Settings {
  const section = vscode.workspace.getConfiguration(SECTION);
  return {
    path: section.get("server.path", ""),
    extraEnv: section.get<unknown>("server.extraEnv"),
    memory: section.get("server.memory", ""),
    trust: section.get("trust", "default"),
  };
}

/** What the user has set for rust-analyzer and the server follows, too. */
export function settingsOfRustAnalyzer(): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration("rust-analyzer");
  return sharedSettings((name) => setValue(section.inspect(name)));
}

/** Shows the settings of the server. They are the machine's: where the editor runs elsewhere, its own page has them. */
export async function openSettings(): Promise<void> {
  const page = vscode.env.remoteName === undefined ? "workbench.action.openSettings" : "workbench.action.openRemoteSettings";
  await vscode.commands.executeCommand(page, { query: `${SECTION}.server` });
}
