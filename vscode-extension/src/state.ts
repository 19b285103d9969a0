// How far the server is, and how the status bar shows it. Nothing here needs VS Code.

import { textField } from "./finding";

/** How far the server is. */
export type State =
  | { readonly kind: "starting" | "stopped" }
  /** The message is the server's own. */
  | { readonly kind: "analysing" | "idle"; readonly message?: string | undefined }
  | { readonly kind: "warning" | "failed"; readonly message: string };

/** What the status bar shows. */
export interface Shown {
  readonly text: string;
  readonly tooltip: string;
  readonly colour: "error" | "warning" | undefined;
}

export function shown(state: State): Shown {
  switch (state.kind) {
    case "starting":
      return { text: "$(loading~spin) tsvd-check", tooltip: "tsvd-check: the server starts", colour: undefined };
    case "analysing":
      return { text: "$(sync~spin) tsvd-check", tooltip: `tsvd-check: ${state.message ?? "analysing"}`, colour: undefined };
    case "idle":
      return { text: "$(check) tsvd-check", tooltip: `tsvd-check: ${state.message ?? "analysis complete"}`, colour: undefined };
    case "stopped":
      return { text: "$(circle-slash) tsvd-check", tooltip: "tsvd-check: the server is not running", colour: undefined };
    case "warning":
      return { text: "$(warning) tsvd-check", tooltip: `tsvd-check: ${state.message}`, colour: "warning" };
    case "failed":
      return { text: "$(error) tsvd-check", tooltip: state.message, colour: "error" };
  }
}

/** What the notification `experimental/serverStatus` says; none if it is malformed. */
export function stateOfNotification(params: unknown): State | undefined {
  if (typeof params !== "object" || params === null) {
    return undefined;
  }
  const health: unknown = Reflect.get(params, "health");
  const isBusy = Reflect.get(params, "quiescent") === false;
  const message = textField(params, "message");
  switch (health) {
    case "error":
      return { kind: "failed", message: `tsvd-check: ${message ?? "see the log"}` };
    case "warning":
      return isBusy ? { kind: "analysing", message } : { kind: "warning", message: message ?? "see the log" };
    case "ok":
      return { kind: isBusy ? "analysing" : "idle", message };
    default:
      return undefined;
  }
}

/** What the answer to `tsvd-check/status` says. */
export function stateOfAnswer(answer: unknown): State | undefined {
  const isIdle: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "isIdle") : undefined;
  return typeof isIdle === "boolean" ? { kind: isIdle ? "idle" : "analysing" } : undefined;
}
