// The user's settings.

import * as vscode from "vscode";

export const SECTION = "tsvd-check";

/** The settings that take effect when the server starts. */
export const AT_START = ["server.path", "server.extraEnv", "server.memory"].map((name) => `${SECTION}.${name}`);

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
