/**
 * The requests of the exchange: for each endpoint what its schema in `protocol/` accepts, and the operator's transfer.
 * Handlers that serve several endpoints take their common fields.
 */
import type { z } from "zod";
import type { TRADING_ENDPOINTS, TradingEndpointName } from "../../../protocol/endpoints.ts";

/** A request of the endpoint, as `parseRequest` returns it. */
export type RequestOf<Name extends TradingEndpointName> = Readonly<
  z.output<(typeof TRADING_ENDPOINTS)[Name]["request"]>
>;

/** The trigger fields that placing and amending an algo order share. */
export type Triggers = Pick<
  RequestOf<"placeAlgo">,
  Extract<keyof RequestOf<"placeAlgo">, `${"conditional" | "tp" | "sl"}${string}`>
>;

/** Operator only. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
}
