// Where the server is, how it is started, and what to tell a user who has none. Nothing here needs VS Code.

import * as path from "node:path";

/** What the search needs to know of the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The variable `PATH`. */
  readonly searchPath: string;
  /** Whether there is a file that may be executed. */
  isProgram(file: string): boolean;
}

export type Found =
  | { readonly kind: "found"; readonly program: string; readonly origin: "setting" | "bundled" | "PATH" }
  | { readonly kind: "missing"; readonly message: string };

/** The setting first, then the program that came with the extension, then the folders of `PATH`. */
export function findServer(setting: string, extensionFolder: string, machine: Machine): Found {
  const paths = machine.platform === "win32" ? path.win32 : path.posix;
  const name = machine.platform === "win32" ? "tsvd-check.exe" : "tsvd-check";
  const wanted = setting.trim();
  if (wanted !== "") {
    const program = /^~(?=[/\\]|$)/.test(wanted) ? paths.join(machine.home, wanted.slice(1)) : wanted;
    if (!paths.isAbsolute(program)) {
      return missing(`The setting tsvd-check.server.path is "${wanted}". Write an absolute path.`);
    }
    if (!machine.isProgram(program)) {
      return missing(`The setting tsvd-check.server.path names "${program}", which is not a program. Correct or clear it.`);
    }
    return { kind: "found", program, origin: "setting" };
  }
  const bundled = paths.join(extensionFolder, "server", name);
  if (machine.isProgram(bundled)) {
    return { kind: "found", program: bundled, origin: "bundled" };
  }
  for (const folder of machine.searchPath.split(paths.delimiter)) {
    // A relative folder would be searched in whatever is open.
    const program = paths.join(folder, name);
    if (paths.isAbsolute(folder) && machine.isProgram(program)) {
      return { kind: "found", program, origin: "PATH" };
    }
  }
  return missing(
    "The program tsvd-check was not found. Install it so that it is on your PATH and restart VS Code, or write its path " +
      "into the setting tsvd-check.server.path.",
  );
}

function missing(message: string): Found {
  return { kind: "missing", message };
}

/** The arguments of the server; the client adds `--stdio`. */
export function serverArguments(memory: string): string[] {
  const size = memory.trim();
  return size === "" ? ["lsp"] : ["lsp", "--memory", size];
}

/** The environment of the server: that of VS Code and the user's additions. */
export function serverEnvironment(own: NodeJS.ProcessEnv, extra: unknown): NodeJS.ProcessEnv {
  const added = typeof extra === "object" && extra !== null ? Object.entries(extra) : [];
  const texts = added.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { ...own, ...Object.fromEntries(texts) };
}

/** What a user reads whose server does not start or does not go on. */
export function failureMessage(program: string, reason: string, lastWords: readonly string[]): string {
  const words = lastWords.map((line) => line.trim()).filter((line) => line !== "");
  // The first line of an error says what is wrong; what follows is help.
  const said = words.find((line) => line.startsWith("error:")) ?? words[words.length - 1];
  const text = said === undefined ? "." : `: ${said.slice(0, 300)}`;
  return `tsvd-check: the server "${program}" ${reason}${text}`;
}

/** How often a server that ends by itself is started again. */
export class RestartPolicy {
  private ends: number[] = [];

  constructor(
    private readonly most = 4,
    private readonly milliseconds = 180_000,
  ) {}

  /** The server has ended; says whether it is started again. */
  ended(now: number): boolean {
    this.ends = this.ends.filter((end) => now - end <= this.milliseconds);
    this.ends.push(now);
    return this.ends.length <= this.most;
  }
}
