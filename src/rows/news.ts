/** `news` rows: an item that the feed delivered. */
import { z } from "zod";
import { text, texts } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line } from "./words.ts";

export const NEWS = rowForm(
  "news",
  {
    written: "For every new item of the news feed.",
    readBy: "`ballast why` (the item behind an order) and the verifier.",
  },
  z
    .object({
      key: text("`kind:id` of the item, as evidence names it."),
      title: text("Title, 200 characters at most."),
      currencies: texts("Base currencies that it is about."),
    })
    .readonly(),
);

export type NewsRow = z.output<typeof NEWS.body>;
export const newsRow = NEWS.write;
export const readNews = NEWS.read;

export const newsText = ({ key, title }: NewsRow): string => line(`${key}: ${title}`, 400);
