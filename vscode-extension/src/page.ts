// The server's HTML pages as VS Code can show them. Nothing here needs VS Code.

/** A place of the source that a page names; line and column count from 1, columns in characters. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The colours of the page are those of VS Code's theme. */
const STYLE = `
html:root, html:root body {
  --text: var(--vscode-editor-foreground);
  --muted: var(--vscode-descriptionForeground);
  --page: var(--vscode-editor-background);
  --card: var(--vscode-editorWidget-background, var(--vscode-editor-background));
  --line: var(--vscode-contrastBorder, var(--vscode-editorWidget-border, var(--vscode-panel-border)));
  --error: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
  --warning: var(--vscode-editorWarning-foreground);
  --note: var(--vscode-editorInfo-foreground);
  --mark: var(--vscode-editor-findMatchHighlightBackground);
}
body.vscode-light {
  color-scheme: light;
  --lane0: #1f5fbf; --lane1: #b4420e; --lane2: #1a7f37; --lane3: #8250df; --lane4: #9a6700; --lane5: #bf3989;
}
body.vscode-dark {
  color-scheme: dark;
  --lane0: #79b8ff; --lane1: #ffa270; --lane2: #6fdd8b; --lane3: #d2a8ff; --lane4: #f0b849; --lane5: #ff9bce;
}
body.vscode-high-contrast {
  color-scheme: dark;
  --mark: transparent;
  --lane0: #79b8ff; --lane1: #ffa270; --lane2: #6fdd8b; --lane3: #d2a8ff; --lane4: #f0b849; --lane5: #ff9bce;
}
body.vscode-high-contrast-light {
  color-scheme: light;
  --mark: transparent;
  --lane0: #0b4a9e; --lane1: #8a3108; --lane2: #0f5f26; --lane3: #5b2fb0; --lane4: #6b4700; --lane5: #8f1f63;
}
body.vscode-high-contrast mark { outline: 1px dashed var(--vscode-contrastActiveBorder, currentColor); }
body { font-family: var(--vscode-font-family); }
article { background: none; border: 0; border-radius: 0; padding: 0; }
h1 { font-size: 1.25rem; margin: .25rem 0 .75rem; }
h2 { font-size: 1rem; margin: 1rem 0 .25rem; }
code, pre, mark { color: inherit; }
code { background: none; padding: 0; }
pre, code { font-family: var(--vscode-editor-font-family, monospace); }
a[data-path] { cursor: pointer; }
a[data-path]:hover, a[data-path]:focus-visible { text-decoration: underline; }
a[data-path]:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
a:not(svg a)[data-path] { color: var(--vscode-textLink-foreground); }
`;

/** Posts the place of a link when the user clicks it, or presses Enter on it. */
const SCRIPT = `
const vscode = acquireVsCodeApi();
function open(event) {
  const link = event.target instanceof Element ? event.target.closest("a[data-path]") : null;
  if (link === null) { return; }
  event.preventDefault();
  const { path, line, column } = link.dataset;
  vscode.postMessage({ path, line: Number(line), column: Number(column) });
}
for (const link of document.querySelectorAll("a[data-path]")) {
  link.setAttribute("tabindex", "0");
  link.setAttribute("role", "link");
}
document.addEventListener("click", open);
document.addEventListener("keydown", (event) => { if (event.key === "Enter") { open(event); } });
`;

/**
 * Makes a page without scripts one for a webview: only a script of ours may run, nothing is loaded. The page's own policy
 * goes, as ours is the stricter one and both would hold.
 */
export function pageForWebview(html: string, nonce: string): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const first = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const without = html.replace(/<meta\s[^>]*http-equiv\s*=\s*["']?Content-Security-Policy\b[^>]*>\n?/gi, "");
  const head = after(without, /<head(\s[^>]*)?>/i, `\n${first}`) ?? after(without, /<!DOCTYPE[^>]*>/i, `\n${first}`) ?? first + without;
  const styled = before(head, "</head>", `<style>${STYLE}</style>\n`) ?? after(head, first, `<style>${STYLE}</style>`) ?? head;
  const script = `<script nonce="${nonce}">${SCRIPT}</script>\n`;
  return before(styled, "</body>", script) ?? styled + script;
}

/** Puts a text behind the first match; none if there is no match. */
function after(html: string, mark: RegExp | string, text: string): string | undefined {
  const found = typeof mark === "string" ? mark : mark.exec(html)?.[0];
  const at = found === undefined ? -1 : html.indexOf(found);
  return found === undefined || at < 0 ? undefined : html.slice(0, at + found.length) + text + html.slice(at + found.length);
}

/** Puts a text in front of the last occurrence; none if there is none. */
function before(html: string, mark: string, text: string): string | undefined {
  const at = html.toLowerCase().lastIndexOf(mark);
  return at < 0 ? undefined : html.slice(0, at) + text + html.slice(at);
}

/** The place that the script of a page posted; none if it is not one. */
export function postedPlace(message: unknown): Place | undefined {
  if (typeof message !== "object" || message === null) {
    return undefined;
  }
  const { path, line, column } = message as Partial<Record<keyof Place, unknown>>;
  if (typeof path !== "string" || path === "") {
    return undefined;
  }
  return { path, line: counted(line), column: counted(column) };
}

function counted(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 1;
}

/** A column as VS Code counts it: from 0, in UTF-16. */
export function utf16Column(line: string, column: number): number {
  return Array.from(line).slice(0, column - 1).join("").length;
}
