/**
 * Which faults are on, and their combined effect at each hook. Faults are switched on by name with parameters, for a
 * span or until switched off. Without active faults the hooks cost nothing.
 */
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { isoTime } from "../../core/time.ts";
import type { AnyFault, FaultWorld } from "./fault.ts";
import type {
  ActionFate,
  CallKind,
  FaultHooks,
  GatewayReply,
  MarketFrame,
  NewsMessage,
  Reach,
  StreamRefusal,
  RestCall,
  RestPlan,
  UserPush,
} from "./hooks.ts";

interface Active {
  readonly id: number;
  readonly name: string;
  readonly params: unknown;
  readonly sinceMs: number;
  readonly untilMs: number | null;
  readonly hooks: FaultHooks;
  stop(): void;
}

/** One active fault, as `/control/faults` shows it. `until` is null if it lasts until it is switched off. */
export interface ActiveFaultView {
  readonly id: number;
  readonly name: string;
  readonly params: unknown;
  readonly since: string;
  readonly until: string | null;
}

/** Servers call it at each hook. Active faults apply one after the other, in the order in which they started. */
export class FaultBoard {
  readonly #faults: ReadonlyMap<string, AnyFault>;
  readonly #clock: Clock;
  readonly #log: Log;
  #world: FaultWorld | null = null;
  #active: readonly Active[] = [];
  #nextId = 1;
  #onChange: (() => void) | null = null;

  constructor(given: { readonly faults: readonly AnyFault[]; readonly clock: Clock; readonly log: Log }) {
    this.#faults = new Map(given.faults.map((fault) => [fault.name, fault]));
    this.#clock = given.clock;
    this.#log = given.log;
  }

  /** Called once, when the servers that faults act upon exist. */
  plugIn(world: FaultWorld): void {
    this.#world = world;
  }

  /** One listener, called whenever a fault is switched on or off. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Every fault, by group and name. */
  catalogue(): readonly AnyFault[] {
    return [...this.#faults.values()];
  }

  active(): readonly ActiveFaultView[] {
    return this.#active.map(({ id, name, params, sinceMs, untilMs }) => ({
      id,
      name,
      params,
      since: isoTime(sinceMs),
      until: untilMs === null ? null : isoTime(untilMs),
    }));
  }

  /** The error in a fault's name or parameters; null if there is none. */
  check(name: string, rawParams: unknown): string | null {
    const fault = this.#faults.get(name);
    if (!fault) return `no fault is called ${JSON.stringify(name)}; there are: ${[...this.#faults.keys()].join(", ")}`;
    const problem = fault.check(rawParams);
    return problem === null ? null : `${name}: ${problem}`;
  }

  /** Switches a fault on, for `forMs` or until it is switched off. The error says what is wrong with the request. */
  start(name: string, rawParams: unknown, forMs: number | null): Result<ActiveFaultView, string> {
    const fault = this.#faults.get(name);
    if (!fault)
      return err(`no fault is called ${JSON.stringify(name)}; there are: ${[...this.#faults.keys()].join(", ")}`);
    if (!this.#world) return err("the service is not ready yet");
    const begun = fault.begin(this.#world, rawParams);
    if (!begun.ok) return err(`${name}: ${begun.error}`);
    const id = this.#nextId++;
    const sinceMs = this.#clock.nowMs();
    const stopTimer = forMs === null ? null : this.#clock.after(forMs, () => this.#end(id));
    const { hooks, params, stop } = begun.value;
    const untilMs = forMs === null ? null : sinceMs + forMs;
    this.#active = [
      ...this.#active,
      { id, name, params, sinceMs, untilMs, hooks, stop: () => (stopTimer?.(), stop?.()) },
    ];
    this.#onChange?.();
    this.#log.event(
      "info",
      "sim.fault",
      `fault ${name} is on${forMs === null ? "" : ` for ${(forMs / 1_000).toFixed(1)} s`}`,
      { name, params, forMs },
    );
    return ok(this.active().find((view) => view.id === id) as ActiveFaultView);
  }

  /** Switches off every active instance of a fault, or all faults if no name is given. Returns how many. */
  stop(name?: string): number {
    const ending = this.#active.filter((fault) => name === undefined || fault.name === name);
    for (const fault of ending) this.#end(fault.id);
    return ending.length;
  }

  rest(call: RestCall): RestPlan {
    if (this.#active.length === 0) return NOTHING;
    return this.#active.reduce<RestPlan>((plan, { hooks }) => mergePlans(plan, hooks.rest?.(call) ?? NOTHING), NOTHING);
  }
  /** The widest reach of the active faults over a kind of call. */
  restReach(kind: CallKind): Reach | null {
    const reaches = this.#active.map(({ hooks }) => hooks.restReach?.(kind) ?? null);
    return reaches.find((reach) => reach === "every") ?? reaches.find((reach) => reach !== null) ?? null;
  }
  marketFrames(frame: MarketFrame): readonly MarketFrame[] {
    return this.#through([frame], (hooks) => hooks.marketFrame?.bind(hooks));
  }
  /** Whether an active fault uses the pushes of the user stream. */
  watchesPushes(): boolean {
    return this.#active.some(({ hooks }) => hooks.userPush !== undefined);
  }

  userPushes(push: UserPush): readonly UserPush[] {
    return this.#through([push], (hooks) => hooks.userPush?.bind(hooks));
  }
  newsMessages(message: NewsMessage): readonly NewsMessage[] {
    return this.#through([message], (hooks) => hooks.newsMessage?.bind(hooks));
  }
  refuseSubscription(channel: string, symbol: string): StreamRefusal | null {
    return this.#first((hooks) => hooks.refuseSubscription?.(channel, symbol));
  }
  refuseUserLogin(): string | null {
    return this.#first((hooks) => hooks.refuseUserLogin?.());
  }
  userAction(action: string): ActionFate | null {
    return this.#first((hooks) => hooks.userAction?.(action));
  }
  deafMarketSocket(): boolean {
    return this.#active.some(({ hooks }) => hooks.deafMarketSocket?.() ?? false);
  }
  refuseNewsHandshake(): boolean {
    return this.#active.some(({ hooks }) => hooks.refuseNewsHandshake?.() ?? false);
  }
  modelReply(reply: GatewayReply): GatewayReply | "lost" | "stalled" {
    let current = reply;
    for (const { hooks } of this.#active) {
      const changed = hooks.modelReply?.(current) ?? current;
      if (typeof changed === "string") return changed;
      current = changed;
    }
    return current;
  }
  skewMs(): number {
    return this.#active.reduce((sum, { hooks }) => sum + (hooks.skewMs?.() ?? 0), 0);
  }

  #through<T>(items: readonly T[], pick: (hooks: FaultHooks) => ((item: T) => readonly T[]) | undefined): readonly T[] {
    let current = items;
    for (const { hooks } of this.#active) {
      const change = pick(hooks);
      if (change) current = current.flatMap((item) => change(item));
    }
    return current;
  }

  #first<T>(ask: (hooks: FaultHooks) => T | null | undefined): T | null {
    for (const { hooks } of this.#active) {
      const answer = ask(hooks);
      if (answer !== null && answer !== undefined) return answer;
    }
    return null;
  }

  #end(id: number): void {
    const ending = this.#active.find((fault) => fault.id === id);
    if (!ending) return;
    this.#active = this.#active.filter((fault) => fault.id !== id);
    ending.stop();
    this.#onChange?.();
    this.#log.event("info", "sim.fault", `fault ${ending.name} is off`, { name: ending.name });
  }
}

const NOTHING: RestPlan = {};

function mergePlans(a: RestPlan, b: RestPlan): RestPlan {
  if (b === NOTHING) return a;
  const change = inTurn(a.change, b.change);
  const respell = inTurn(a.respell, b.respell);
  return {
    ...a,
    ...b,
    delayBeforeMs: (a.delayBeforeMs ?? 0) + (b.delayBeforeMs ?? 0),
    delayAfterMs: (a.delayAfterMs ?? 0) + (b.delayAfterMs ?? 0),
    spoils: a.spoils === true || b.spoils === true,
    ...(change ? { change } : {}),
    ...(respell ? { respell } : {}),
  };
}

const inTurn = (first: RestPlan["change"], second: RestPlan["change"]): RestPlan["change"] =>
  first && second ? (reply) => second(first(reply)) : (second ?? first);
