// Code lenses of the server. Nothing here needs VS Code.

/** The lens of the function that a line is in or behind: the last one that is not below it. */
export function lensAt<L extends { readonly line: number }>(lenses: readonly L[], line: number): L | undefined {
  const above = lenses.filter((it) => it.line <= line);
  return above.reduce<L | undefined>((last, it) => (last === undefined || it.line >= last.line ? it : last), undefined);
}
