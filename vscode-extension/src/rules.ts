// The rules of the server.

export interface Rule {
  readonly name: string;
  readonly reports: string;
}

export const RULES: readonly Rule[] = [
  { name: "data-race", reports: "two unordered accesses to one memory location, at least one of them a write, not both atomic" },
  { name: "deadlock", reports: "threads that wait for each other's locks or for a lock that they hold, a `main` or test that waits forever" },
  { name: "livelock", reports: "a thread that spins forever, where the same inputs end well under another schedule" },
  { name: "schedule-dependent-fault", reports: "undefined behaviour, where the same inputs end well under another schedule" },
  { name: "schedule-dependent-panic", reports: "a panic that nobody handles, where the same inputs end well under another schedule" },
  { name: "schedule-dependent-result", reports: "a `main` or test that fails, where the same inputs end well under another schedule" },
  { name: "thread-safety-violation", reports: "two unordered method calls on an object that does not allow them, at least one of them a write" },
];
