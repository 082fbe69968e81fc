/** Starts the simulated service, on ports or only for callers in the same process. Architecture §7. */
import type { CandleSource } from "../domain/market.ts";
import type { Exchange } from "./exchange/contract/api.ts";
import { host } from "./host.ts";
import type { HostedOptions, SimOptions, SimReady } from "./options.ts";
import type { Handlers } from "./servers/transport/handlers.ts";
import { type ListeningPort, openPort } from "./servers/transport/listening-port.ts";
import { type InProcess, inProcess } from "./servers/transport/in-process.ts";
import { STEP_MS } from "./servers/service/pulse.ts";

/** The result of `startSimService` and `startInProcess`. `exchange` gives tests and reports direct access. */
export interface SimService {
  readonly ready: SimReady;
  readonly exchange: Exchange;
  /** The market's history before this run. */
  readonly past: CandleSource;
  /** Ends every socket and timer. The ports are free when it resolves. */
  stop(): Promise<void>;
}

/** The service on ports. Throws, with the reason, if a named file cannot be used or a port is in use. */
export async function startSimService(options: SimOptions): Promise<SimService> {
  const hosted = host(options);
  const { host: name, port, controlPort } = options;
  const opened: ListeningPort[] = [];
  const open = async (handlers: Handlers, at: number): Promise<string> => {
    const listening = await openPort(handlers, { host: name, port: at });
    opened.push(listening);
    return `${name}:${listening.port}`;
  };
  const stop = async (): Promise<void> => {
    await hosted.stop();
    await Promise.all(opened.map((listening) => listening.stop()));
  };
  try {
    const at = await open(hosted.handlers, port);
    const controlAt = await open(hosted.controlHandlers, controlPort);
    return { ready: hosted.open({ at, controlAt }), exchange: hosted.exchange, past: hosted.past, stop };
  } catch (cause) {
    // A port was in use. The parts that were started would keep the process and the other port alive.
    await stop();
    throw cause;
  }
}

/** Host names of a service without ports; they exist only in its process. */
const [VENUE_HOST, CONTROL_HOST] = ["venue.in-process", "control.in-process"] as const;

/** `ready` has host names that exist only on `network`. */
export interface InProcessService extends SimService {
  /** The only access to the service. Its delays use the clock of the options. */
  readonly network: InProcess;
}

/** The service for callers of this process only. Throws, with the reason, if a file cannot be used. */
export function startInProcess(options: HostedOptions & { readonly latencyMs?: number }): InProcessService {
  const hosted = host(options);
  const hosts = { [VENUE_HOST]: hosted.handlers, [CONTROL_HOST]: hosted.controlHandlers };
  const { latencyMs = 0, stepMs = STEP_MS } = options;
  const network = inProcess({ clock: options.env.clock, hosts, latencyMs, stepMs });
  const ready = hosted.open({ at: VENUE_HOST, controlAt: CONTROL_HOST });
  return { ready, exchange: hosted.exchange, past: hosted.past, network, stop: hosted.stop };
}
