/** Reads a list page by page to its end. Spec: records §1.3. */
import type { z } from "zod";
import type { Outcome } from "../core/outcome.ts";
import type { Endpoint } from "../protocol/endpoint.ts";
import { listOf, pageCountOf } from "../protocol/page.ts";
import type { VenueCall, CallOptions } from "./call.ts";

type Listed<Item> = readonly Item[] | { readonly list: readonly Item[] | null };
type ItemOf<Reply> = Reply extends readonly (infer Item)[]
  ? Item
  : Reply extends { readonly list: readonly (infer Item)[] | null }
    ? Item
    : never;

/** A longer list is returned as far as it was read, which is the newest part. */
const PAGES_MAX = 10;

/**
 * Every item, newest first as the venue sends them. A row that moves between pages during the read may appear twice
 * or not at all (fault R9): callers key by id and never treat absence from one list as proof.
 */
export async function allPages<Request extends z.ZodType, Reply extends z.ZodType>(
  call: VenueCall,
  endpoint: Endpoint<Request, Reply>,
  params: z.input<Request>,
  options?: CallOptions,
): Promise<Outcome<readonly ItemOf<z.output<Reply>>[]>> {
  const items: ItemOf<z.output<Reply>>[] = [];
  const pageSize = String(endpoint.paging?.maxSize ?? 100);
  let pages = 1;
  for (let page = 1; page <= Math.min(pages, PAGES_MAX); page++) {
    const asked = { ...(params as object), page: String(page), pageSize } as z.input<Request>;
    const outcome = await call(endpoint, asked, options);
    if (outcome.kind !== "done") return outcome;
    const data = outcome.value as Listed<ItemOf<z.output<Reply>>>;
    items.push(...listOf(data));
    pages = pageCountOf(data);
  }
  return { kind: "done", value: items };
}
