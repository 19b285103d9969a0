// The server's process and the connection to it.

import * as fs from "node:fs";
import * as os from "node:os";
import * as readline from "node:readline";
import * as vscode from "vscode";
import {
  type ClientCapabilities,
  CloseAction,
  CodeLensRequest,
  type CloseHandlerResult,
  ErrorAction,
  type DynamicFeature,
  type ErrorHandlerResult,
  ErrorCodes,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  ResponseError,
  RevealOutputChannelOn,
  type ServerOptions,
  type StaticFeature,
  State as ClientState,
  TransportKind,
} from "vscode-languageclient/node";
import { RestartPolicy, failureMessage, findServer, serverArguments, serverEnvironment } from "./findServer";
import { SECTION, openSettings, settings, settingsOfRustAnalyzer } from "./settings";
import { type State, stateOfAnswer, stateOfNotification } from "./state";

/** Commands that code actions of the server may name. */
const COMMANDS = ["tsvd-check.showInterleaving", "tsvd-check.explainRule"];

/** The notification that tells the server which open file the user looks at. */
const IN_VIEW = "tsvd-check/inView";

/** How long to wait before the server is asked again how far it is. */
const POLL = 1000;

/** How long a server that is to end may take to start. */
const START = 3000;

/** Lines of the server's errors that a message may quote. */
const LAST_WORDS = 5;

/** Whether this machine can run a file. */
function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Messages of the library go to the log; this extension says itself what the user must know. */
class QuietClient extends LanguageClient {
  /** The server's commands are not those of VS Code: two servers, one of which ends, would both register them. */
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (!("registrationType" in feature && feature.registrationType.method === ExecuteCommandRequest.method)) {
      super.registerFeature(feature);
    }
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }

  override info(message: string, data?: unknown): void {
    super.info(message, data, false);
  }
}

/** The server that a window has, at most one. */
export class Server implements vscode.Disposable {
  private client: QuietClient | undefined;
  private program = "";
  private restarts = new RestartPolicy();
  /** Lines of the server's standard error, the last ones. */
  private lastWords: string[] = [];
  /** Starts and stops, one after the other. */
  private queue: Promise<void> = Promise.resolve();
  private poll: NodeJS.Timeout | undefined;
  /** Whether the server tells by itself how far it is. */
  private tellsState = false;

  private readonly states = new vscode.EventEmitter<State>();
  readonly onState = this.states.event;

  constructor(
    private readonly extensionFolder: string,
    readonly log: vscode.LogOutputChannel,
  ) {}

  /** Starts the server, also once more. */
  restart(): Promise<void> {
    this.queue = this.queue
      .then(async () => {
        await this.stopNow();
        this.startNow();
      })
      .catch((error: unknown) => this.fail(`tsvd-check: ${reasonOf(error)}`));
    return this.queue;
  }

  async dispose(): Promise<void> {
    this.queue = this.queue.then(() => this.stopNow());
    await this.queue;
    this.states.dispose();
  }

  /** Asks the server to carry out one of its commands. The user is told if it cannot; there is no answer then. */
  async execute(command: string, ...args: readonly string[]): Promise<unknown> {
    const client = this.client;
    if (client === undefined || !client.isRunning()) {
      void vscode.window.showWarningMessage("tsvd-check: the server is not running.", "Show log").then((choice) => {
        if (choice !== undefined) {
          this.log.show();
        }
      });
      return undefined;
    }
    try {
      return await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [...args] });
    } catch (error) {
      if (error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound) {
        const version = client.initializeResult?.serverInfo?.version ?? "";
        void vscode.window.showWarningMessage(
          `tsvd-check: this version of the server (${version}) does not offer that yet. Install a newer one.`,
        );
      } else {
        void vscode.window.showWarningMessage(`tsvd-check: ${reasonOf(error)}`);
      }
      return undefined;
    }
  }

  /** The user looks at another file: what concerns it is explored first. */
  async look(uri: vscode.Uri): Promise<void> {
    const client = this.client;
    if (client?.isRunning() === true) {
      await client.sendNotification(IN_VIEW, { uri: client.code2ProtocolConverter.asUri(uri) });
    }
  }

  /** The commands of the code lenses of a file, with the lines that they are at; none if there is no server. */
  async lenses(uri: vscode.Uri): Promise<Array<{ readonly line: number; readonly command: string; readonly args: readonly string[] }>> {
    const client = this.client;
    if (client?.isRunning() !== true) {
      return [];
    }
    const params = { textDocument: { uri: client.code2ProtocolConverter.asUri(uri) } };
    const found = (await client.sendRequest(CodeLensRequest.type, params)) ?? [];
    return found.flatMap(({ range, command }) =>
      command === undefined ? [] : [{ line: range.start.line, command: command.command, args: (command.arguments ?? []).map(String) }],
    );
  }

  /** A text changed: asks how far the server is until it is done, unless it tells by itself. */
  watch(): void {
    if (this.poll === undefined && !this.tellsState && this.client?.isRunning() === true) {
      this.poll = setTimeout(() => void this.ask(), POLL);
    }
  }

  private async ask(): Promise<void> {
    const client = this.client;
    let state: State | undefined;
    try {
      state = stateOfAnswer(await client?.sendRequest<unknown>("tsvd-check/status"));
    } catch {
      // It stopped, or has no such request: there is nothing to show.
    }
    this.poll = undefined;
    if (state !== undefined && client === this.client && !this.tellsState) {
      this.states.fire(state);
      if (state.kind === "analysing") {
        this.watch();
      }
    }
  }

  /** Starts the server; does not wait for its first answer, which may never come. */
  private startNow(): void {
    const { path, extraEnv, memory } = settings();
    const machine = {
      platform: process.platform,
      home: os.homedir(),
      searchPath: process.env["PATH"] ?? "",
      isProgram,
    };
    const found = findServer(path, this.extensionFolder, machine);
    if (found.kind === "missing") {
      this.fail(found.message);
      return;
    }
    this.program = found.program;
    this.lastWords = [];
    this.restarts = new RestartPolicy();
    this.tellsState = false;
    const args = serverArguments(memory);
    this.log.info(`starts ${found.program} (${found.origin}) ${args.join(" ")}`);
    const options: ServerOptions = {
      command: found.program,
      args,
      transport: TransportKind.stdio,
      // Not the workspace's folder, whose files could tell programs that the server starts what to do.
      options: { cwd: os.homedir(), env: serverEnvironment(process.env, extraEnv) },
    };
    const client = new QuietClient(SECTION, "tsvd-check", options, this.clientOptions());
    this.client = client;
    client.registerFeature({
      fillClientCapabilities: (capabilities: ClientCapabilities): void => {
        capabilities.experimental = { serverStatusNotification: true };
      },
      initialize: (): void => undefined,
      getState: () => ({ kind: "static" }),
      clear: (): void => undefined,
    });
    client.onNotification("experimental/serverStatus", (params: unknown) => {
      const state = stateOfNotification(params);
      if (state !== undefined && client === this.client) {
        this.tellsState = true;
        this.states.fire(state);
      }
    });
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) {
        return;
      }
      if (newState === ClientState.Starting) {
        this.states.fire({ kind: "starting" });
      } else if (newState === ClientState.Running) {
        this.states.fire({ kind: "analysing" });
        this.watch();
      }
    });
    client.start().catch(async (error: unknown) => {
      if (client === this.client) {
        // That the connection is closed says less than the server itself.
        const isClosed = error instanceof ResponseError && error.code === ErrorCodes.PendingResponseRejected;
        await this.failed("did not start", isClosed ? "it ended before it answered" : reasonOf(error));
      }
    });
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: "file", language: "rust" }],
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({
        workspaceTrusted: vscode.workspace.isTrusted,
        trust: settings().trust,
        commands: COMMANDS,
        ...settingsOfRustAnalyzer(),
      }),
      // The failure is reported where the start is awaited.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (): ErrorHandlerResult => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.closed(),
      },
      stdioOptions: {
        stdout: () => undefined,
        stderr: (input) => {
          readline.createInterface({ input, crlfDelay: Infinity }).on("line", (line) => {
            this.lastWords = [...this.lastWords, line].slice(-LAST_WORDS);
            this.log.error(line);
          });
        },
      },
    };
  }

  /** The server has ended by itself. It may: a watchdog ends it, and it leaves the item out that took too long. */
  private async closed(): Promise<CloseHandlerResult> {
    const wasRunning = this.client?.state === ClientState.Running;
    if (wasRunning && this.restarts.ended(Date.now())) {
      this.log.warn("The server ended and was restarted.");
      return { action: CloseAction.Restart, handled: true };
    }
    // A failed first start is reported where it is awaited.
    if (wasRunning) {
      await this.failed("ended repeatedly and was not restarted", "see the log");
    }
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  /** The same, with what the server said last, or else with what is known of the cause. */
  private async failed(what: string, cause: string): Promise<void> {
    // The last lines may still be on their way.
    await new Promise((resolve) => setTimeout(resolve, 100));
    this.fail(failureMessage(this.program, what, this.lastWords.length > 0 ? this.lastWords : [cause]));
  }

  /** Tells the user why there is no server. */
  private fail(message: string): void {
    this.log.error(message);
    this.states.fire({ kind: "failed", message });
    void vscode.window.showErrorMessage(message, "Open settings", "Show log").then((choice) => {
      if (choice === "Open settings") {
        void openSettings();
      } else if (choice === "Show log") {
        this.log.show();
      }
    });
  }

  private async stopNow(): Promise<void> {
    clearTimeout(this.poll);
    this.poll = undefined;
    const client = this.client;
    this.client = undefined;
    try {
      if (client?.state === ClientState.Starting) {
        // Only a server that runs can be asked to end; one that does not answer is killed.
        await Promise.race([client.start(), new Promise((resolve) => setTimeout(resolve, START))]);
      }
      await client?.dispose();
    } catch (error) {
      // It does not run any more.
      this.log.debug(String(error));
    }
    this.states.fire({ kind: "stopped" });
  }
}
