// The rules of the server.

export interface Rule {
  readonly name: string;
  readonly reports: string;
}

export const RULES: readonly Rule[] = [
  { name: "data-race", reports: "two unordered accesses to one memory location, at least one of them a write" },
  { name: "deadlock", reports: "threads that wait for each other's locks, or for what can never happen" },
  { name: "thread-safety-violation", reports: "two unordered method calls on an object that does not allow them" },
];
