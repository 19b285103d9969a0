// What the server says of a finding beside its text. Nothing here needs VS Code.

/** The name under which the server publishes findings. */
export const SOURCE = "tsvd-check";

/** The id of a finding: what the server attached to a diagnostic. */
export function idOf(diagnostic: object): string | undefined {
  const data: unknown = Reflect.get(diagnostic, "data");
  const id: unknown = typeof data === "object" && data !== null ? Reflect.get(data, "id") : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The rule of a finding, from the code of its diagnostic. */
export function ruleOf(code: unknown): string | undefined {
  const value: unknown = typeof code === "object" && code !== null ? Reflect.get(code, "value") : code;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A text field of an answer of the server. */
export function textField(answer: unknown, name: string): string | undefined {
  const value: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined;
  return typeof value === "string" ? value : undefined;
}

/** A title for a tab: without markup, and short. */
export function tabTitle(title: string): string {
  const plain = title.replaceAll("`", "");
  return plain.length <= 40 ? plain : `${plain.slice(0, 39).trimEnd()}…`;
}
