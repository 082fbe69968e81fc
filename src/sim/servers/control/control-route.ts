/** A control call as a record: its path, its input and its action. Architecture §7. */
import { z } from "zod";
import type { Entropy } from "../../../core/entropy.ts";
import { issuesText } from "../../../core/issues.ts";
import { err, type Result } from "../../../core/result.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { FaultWorld } from "../../faults/fault.ts";
import type { ChargeLog } from "../../model/charge-log.ts";
import type { GatewayService } from "../../model/gateway.ts";
import type { SimReady } from "../../options.ts";
import type { AccountSetup } from "../service/accounts.ts";
import type { KeyBook } from "../access/key-book.ts";
import type { Servers } from "../service/open-servers.ts";
import type { VenueLog } from "../service/venue-log.ts";

/** The whole service as control calls see it. `world` is the same object that faults act upon. */
export interface ControlOptions {
  readonly ready: SimReady;
  readonly world: FaultWorld;
  readonly faults: FaultBoard;
  readonly gateway: GatewayService;
  readonly keys: KeyBook;
  readonly servers: Servers;
  readonly entropy: Entropy;
  readonly charges: ChargeLog;
  /** Null if the service was started without one. */
  readonly venueLog: VenueLog | null;
  openAccount(account: AccountSetup): void;
}

/** `run` validates its raw input itself; an error is text for the operator. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly description: string;
  /** JSON schema of query or body. */
  readonly inputSchema: unknown;
  run(options: ControlOptions, input: unknown): Result<unknown, string>;
}

/** Creates a record whose `run` gets the parsed input. */
export function route<Input extends z.ZodObject>(options: {
  readonly method: ControlRoute["method"];
  readonly path: string;
  readonly description: string;
  readonly input: Input;
  run(control: ControlOptions, input: z.output<Input>): Result<unknown, string>;
}): ControlRoute {
  const { method, path, description } = options;
  return {
    method,
    path,
    description,
    inputSchema: z.toJSONSchema(options.input, { io: "input" }),
    run: (control, raw) => {
      const input = options.input.safeParse(raw);
      return input.success ? options.run(control, input.data) : err(issuesText(input.error.issues, raw));
    },
  };
}

/** The empty input. */
export const nothing = z.strictObject({});
/** The service's time in whole milliseconds, as the exchange requires. */
export const nowOf = ({ world }: ControlOptions): number => Math.floor(world.env.clock.nowMs());
