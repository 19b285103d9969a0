// Settings of rust-analyzer under which findings would show twice.

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
    return override.some((word) => word === "tsvd" || word === "cargo-tsvd");
  }
  return (command ?? field(checkOnSave, "command")) === "tsvd";
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
