/** Paged lists: the page object of records §1.3, and readers that also accept a plain array. */
import { z } from "zod";
import { wholeMaybe } from "./reply-fields.ts";
import type { Endpoint } from "./endpoint.ts";

/** A page object, or a plain array: clients must accept either for any list (records §1.3). */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.union([
    z.array(item),
    z.looseObject({
      /** Page returned, from 1. */
      page: wholeMaybe,
      /** Requested size. */
      pageSize: wholeMaybe,
      /** Total number of pages. */
      pageNum: wholeMaybe,
      /** Total number of items. */
      totalSize: wholeMaybe,
      list: z.array(item).nullable(),
    }),
  ]);

type Listed<Item> = readonly Item[] | { readonly list: readonly Item[] | null };

/** The items of an array or a page object. */
export function listOf<Item>(data: Listed<Item>): readonly Item[] {
  return "list" in data ? (data.list ?? []) : data;
}

/** Total number of pages; a plain array is the only page. */
export function pageCountOf(data: Listed<unknown> & { readonly pageNum?: unknown }): number {
  const count = "list" in data ? Number(data.pageNum ?? 1) : 1;
  return Number.isFinite(count) ? count : 1;
}

/** A page as a server sends it: `page` counts from 1, and `pageNum` is the number of pages (records §1.3). */
export interface PageObject<Item> {
  readonly page: number;
  readonly pageSize: number;
  readonly pageNum: number;
  readonly totalSize: number;
  readonly list: readonly Item[];
}

/** Cuts one page out of all items. A page past the end is empty and has the true totals [guess]. */
export function pageFrom<Item>(items: readonly Item[], page: number, pageSize: number): PageObject<Item> {
  return {
    page,
    pageSize,
    pageNum: Math.ceil(items.length / pageSize),
    totalSize: items.length,
    list: items.slice((page - 1) * pageSize, page * pageSize),
  };
}

/**
 * The page that a parsed request asks for, with the endpoint's defaults. `tooLarge` if the size exceeds its maximum.
 */
export function pageAsked(
  endpoint: Pick<Endpoint, "paging">,
  request: { readonly page?: string | undefined; readonly pageSize?: string | undefined },
): { page: number; pageSize: number; tooLarge: boolean } {
  const paging = endpoint.paging ?? { defaultSize: 100, maxSize: 1000 };
  const pageSize = request.pageSize === undefined ? paging.defaultSize : Number(request.pageSize);
  return { page: Number(request.page ?? 1), pageSize, tooLarge: pageSize > paging.maxSize };
}
