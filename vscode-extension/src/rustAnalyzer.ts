// Settings of rust-analyzer: those under which findings would show twice, and those that hold for both.

/** The settings of rust-analyzer that say what it runs when a file is saved. */
export interface CheckSettings {
  /** `rust-analyzer.checkOnSave`; it was an object once. */
  readonly checkOnSave: unknown;
  /** `rust-analyzer.check.command`. */
  readonly command: unknown;
  /** `rust-analyzer.check.overrideCommand`. */
  readonly overrideCommand: unknown;
}

/** Whether rust-analyzer runs `cargo tsvd`. */
export function showsFindings(settings: CheckSettings): boolean {
  const { checkOnSave, command, overrideCommand } = settings;
  if (checkOnSave === false || field(checkOnSave, "enable") === false) {
    return false;
  }
  const override = overrideCommand ?? field(checkOnSave, "overrideCommand");
  if (Array.isArray(override)) {
    // The program may have a folder.
    return override.some((word) => typeof word === "string" && (word === "tsvd" || /(^|[\\/])cargo-tsvd(\.exe)?$/.test(word)));
  }
  return (command ?? field(checkOnSave, "command")) === "tsvd";
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** The settings of rust-analyzer that the server follows, too. */
export const SHARED = ["cargo.features", "cargo.noDefaultFeatures", "cargo.target", "linkedProjects", "files.exclude"];

/** What the server is told of them: those that are set, as they are; it says itself what it does not understand. */
export function sharedSettings(value: (name: string) => unknown): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const name of SHARED) {
    const set = value(name);
    if (set === undefined || set === null) {
      continue;
    }
    const [section, key] = name.split(".");
    if (section !== undefined && key !== undefined) {
      options[section] = { ...(options[section] as object | undefined), [key]: set };
    } else {
      options[name] = set;
    }
  }
  return options;
}

/** What is set of a setting that another extension may not even have: the value nearest to the user. */
export function setValue(found: { readonly globalValue?: unknown; readonly workspaceValue?: unknown; readonly workspaceFolderValue?: unknown } | undefined): unknown {
  return found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
}
