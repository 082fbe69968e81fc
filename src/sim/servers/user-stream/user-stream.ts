/**
 * The private WebSocket: login, order entry, and the pushes of all changes of an account. Frames are plain text;
 * nothing is replayed after an absence. Spec: 1 §4.8, §5.3, §6.2, §7.3, §8.3; records §11.
 */
import { isRecord } from "../../../core/record.ts";
import type { PeerSocket } from "../transport/handlers.ts";
import type { Clock } from "../../../core/clock.ts";
import { USER_STREAM_LIMITS } from "../../../protocol/limits.ts";
import { USER_PING, USER_PONG } from "../../../protocol/user/messages.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { UserPush } from "../../exchange/contract/api.ts";
import { parseJson } from "../../wire/http-io.ts";
import type { ApiKey, KeyBook } from "../access/key-book.ts";
import type { Presence } from "../access/presence.ts";
import { checkLogin, type LoginFailure } from "../access/stream-login.ts";
import { sharedFrame, SLOW_READER, StreamSocket, watchIdle } from "../transport/stream-socket.ts";
import { type ActionName, type ActionReply, type ActionRules, isActionName, runAction } from "./user-actions.ts";
import type { WireLog } from "../access/wire-log.ts";

const LOGINS = { requests: USER_STREAM_LIMITS.loginsPerSecondPerKey, perMs: 1_000 };

interface Client {
  readonly socket: StreamSocket;
  key: ApiKey | null;
  onlyTrade: boolean;
  leave: (() => void) | null;
}

/** The inputs of order entry, and those of login, uptime and the wire log. */
export interface UserStreamServerOptions extends ActionRules {
  readonly clock: Clock;
  /** The service's visible time, for logins. */
  readonly nowMs: () => number;
  readonly keys: KeyBook;
  readonly faults: FaultBoard;
  readonly presence: Presence;
  readonly wireLog: WireLog;
}

/**
 * One connection has one login. An account may have several connections; each gets every push unless it asked to trade
 * only.
 */
export class UserStreamServer {
  readonly #options: UserStreamServerOptions;
  readonly #clients = new Set<Client>();
  readonly #stops: (() => void)[] = [];
  /** Pushes caused by an action, held until its reply is sent; null outside of actions. */
  #held: UserPush[] | null = null;

  constructor(options: UserStreamServerOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, exchange } = this.#options;
    this.#stops.push(
      exchange.onUserPush(
        (push) => this.#push(push),
        (accountId) => this.#isFollowed(accountId),
      ),
      watchIdle(clock, this.#clients, { idleMs: USER_STREAM_LIMITS.idleMs, everyMs: 1_000 }),
    );
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.disconnect();
  }

  get connections(): number {
    return this.#clients.size;
  }

  /** Cuts every connection, or those of one account, without a close frame. Returns how many. */
  disconnect(accountId?: string): number {
    const cut = [...this.#clients].filter(({ key }) => accountId === undefined || key?.accountId === accountId);
    for (const client of cut) client.socket.ws.terminate();
    return cut.length;
  }

  accept(ws: PeerSocket, address: string): void {
    const socket = new StreamSocket(ws, { address, binary: false, clock: this.#options.clock, limits: SLOW_READER });
    const client: Client = { socket, key: null, onlyTrade: false, leave: null };
    this.#clients.add(client);
    socket.listen(
      (text) => this.#heard(client, text),
      (error) => client.socket.say({ event: "error", code: 40000, msg: `internal error: ${String(error)}` }),
    );
    ws.on("close", () => {
      this.#clients.delete(client);
      client.leave?.();
    });
  }

  /** Sends one push without the faults: for faults that hold pushes back and release them later. */
  release(push: UserPush): void {
    const frame = sharedFrame(JSON.stringify({ channel: push.channel, data: push.data }));
    for (const { socket, key, onlyTrade } of this.#clients) {
      if (key?.accountId !== push.accountId || onlyTrade) continue;
      // Private records are never skipped for a slow reader; `lagging` closes a socket that falls too far behind.
      socket.lagging();
      socket.send(frame);
    }
  }

  /** Whether somebody is logged in for the account, or a fault uses its pushes. */
  #isFollowed(accountId: string): boolean {
    for (const { key } of this.#clients) if (key?.accountId === accountId) return true;
    return this.#options.faults.watchesPushes();
  }

  #push(push: UserPush): void {
    if (this.#held) return void this.#held.push(push);
    for (const changed of this.#options.faults.userPushes(push)) this.release(changed);
  }

  #heard(client: Client, text: string): void {
    client.socket.heard();
    if (text.trim() === USER_PING) return client.socket.send(sharedFrame(USER_PONG));
    const message = parseJson(text);
    if (!isRecord(message))
      return client.socket.say({ event: "error", code: 400001, msg: "a frame must be a JSON object" });
    if (message.action === "login") return this.#login(client, message);
    this.#act(client, message);
  }

  #login(client: Client, message: Record<string, unknown>): void {
    const { args } = message;
    const failure = this.#loginFailure(client, args);
    if (typeof failure === "string") {
      const code = failure === LOGIN_TEXTS.digits ? 601016 : 601009;
      return client.socket.say({ event: "login", code, msg: failure });
    }
    client.leave?.();
    client.key = failure;
    client.onlyTrade = isRecord(args) && args.onlyTrade === true;
    client.leave = this.#options.presence.entered(failure.accountId, "user");
    client.socket.say({ event: "login", code: 0, msg: "" });
  }

  /** The key that is now logged in, or the text of the error. */
  #loginFailure(client: Client, args: unknown): ApiKey | string {
    const { keys, faults, windows, monotonicMs, nowMs, exchange } = this.#options;
    const isFrozen = (accountId: string): boolean => exchange.isFrozen(accountId);
    const rules = { keys, isFrozen, address: client.socket.address, nowMs: nowMs(), digits: [10] as const };
    const checked = checkLogin(args, rules);
    const claimed = isRecord(args) && typeof args.apiKey === "string" ? args.apiKey : "";
    // Counts only known keys, so that outsiders cannot fill the table.
    if (keys.find(claimed) && !windows.of(`${claimed} login`, LOGINS).take(monotonicMs())) {
      return "more than one login per second for this key";
    }
    if (!checked.ok) return LOGIN_TEXTS[checked.error];
    return faults.refuseUserLogin() ?? checked.value;
  }

  #act(client: Client, message: Record<string, unknown>): void {
    const { action, args } = message;
    const id = typeof message.id === "string" || typeof message.id === "number" ? message.id : null;
    const event = typeof action === "string" ? action.slice(0, 60) : "error";
    const reply = (options: ActionReply): void => client.socket.say({ id, event, ...options });
    if (!client.key) return reply({ code: 601009, msg: "login first", data: null });
    const wrong = frameProblem(message);
    if (wrong !== null) return reply({ code: 400001, msg: wrong, data: null });
    if (!isActionName(action)) return reply({ code: 400001, msg: `unknown action ${event}`, data: null });
    // The reply goes first, then the pushes that the action caused. Records §12.
    const caused: UserPush[] = (this.#held = []);
    try {
      const answer = this.#carryOut(client.key, action, args);
      if (answer) reply(answer);
    } finally {
      this.#held = null;
      for (const push of caused) this.#push(push);
    }
  }

  /** Null if a fault swallows the reply. */
  #carryOut(key: ApiKey, action: ActionName, args: unknown): ActionReply | null {
    const { wireLog, faults } = this.#options;
    const entry = wireLog.open("user-stream", action, key.accessKey, isRecord(args) ? args : {});
    const fate = faults.userAction(action);
    if (fate === "drop-before-apply") {
      entry.close(key.accountId, "fault: dropped before the venue");
      return null;
    }
    const answer = runAction(this.#options, key, action, args);
    entry.close(key.accountId, String(answer.code));
    return fate === "drop-after-apply" ? null : answer;
  }
}

/** Why a frame is not an action at all; null if only its name is left to check. */
function frameProblem({ action, id }: Record<string, unknown>): string | null {
  if (typeof action !== "string")
    return `action must be text${action === undefined ? ", and is missing" : `, found ${JSON.stringify(action).slice(0, 60)}`}`;
  const named = id === undefined || id === null || typeof id === "string" || typeof id === "number";
  return named ? null : `id must be text, found ${JSON.stringify(id).slice(0, 60)}`;
}

const LOGIN_TEXTS: Readonly<Record<LoginFailure, string>> = {
  shape: "args must hold apiKey, timestamp and sign as text",
  digits: "timestamp must be Unix seconds with 10 digits",
  skew: "timestamp is more than 60 seconds from the service's time",
  key: "invalid access key",
  disabled: "API key disabled",
  frozen: "API key frozen",
  address: "this address may not use the key",
  signature: "invalid signature",
  permission: "the key lacks the read permission",
};
