// The item in the status bar.

import * as vscode from "vscode";
import { type State, shown } from "./state";

export function statusItem(onState: vscode.Event<State>): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("tsvd-check.status", vscode.StatusBarAlignment.Left);
  item.name = "tsvd-check";
  item.command = "tsvd-check.showLog";
  const update = (state: State): void => {
    const { text, tooltip, colour } = shown(state);
    item.text = text;
    item.tooltip = `${tooltip}\nClick to see the log`;
    item.backgroundColor = colour && new vscode.ThemeColor(`statusBarItem.${colour}Background`);
  };
  update({ kind: "starting" });
  item.show();
  return vscode.Disposable.from(item, onState(update));
}
