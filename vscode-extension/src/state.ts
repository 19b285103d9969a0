// How far the server is, and how the status bar shows it. Nothing here needs VS Code.

import { textField } from "./finding";

/** How far the server is. */
export type State =
  | { readonly kind: "starting" | "analysing" | "idle" | "stopped" }
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
      return { text: "$(sync~spin) tsvd-check", tooltip: "tsvd-check: analysing", colour: undefined };
    case "idle":
      return { text: "$(check) tsvd-check", tooltip: "tsvd-check: all is analysed", colour: undefined };
    case "stopped":
      return { text: "$(circle-slash) tsvd-check", tooltip: "tsvd-check: the server does not run", colour: undefined };
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
  const message = textField(params, "message") ?? "see the log";
  switch (health) {
    case "error":
      return { kind: "failed", message: `tsvd-check: ${message}` };
    case "warning":
      return Reflect.get(params, "quiescent") === false ? { kind: "analysing" } : { kind: "warning", message };
    case "ok":
      return { kind: Reflect.get(params, "quiescent") === false ? "analysing" : "idle" };
    default:
      return undefined;
  }
}

/** What the answer to `tsvd-check/status` says. */
export function stateOfAnswer(answer: unknown): State | undefined {
  const isIdle: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "isIdle") : undefined;
  return typeof isIdle === "boolean" ? { kind: isIdle ? "idle" : "analysing" } : undefined;
}
