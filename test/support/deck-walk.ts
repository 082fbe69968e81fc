/** What an owner does on the page of a running agent, step by step: for its test, and for `npm run walk`. */
import type { Page } from "playwright-core";

/** A guard against hanging, not a judge of speed. */
const WITHIN = { timeout: 180_000 };
const CUT_OFF = "The agent has not answered for some seconds";

/** Chooses a command, gives the token and confirms. */
export async function confirm(page: Page, button: string, yes: string, token: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByLabel("Token (BALLAST_STATUS_TOKEN)").fill(token);
  await page.getByRole("button", { name: yes }).click();
}

/** Equity is shown, so that the account has been read. */
export const seeAccount = (page: Page): Promise<void> =>
  page.locator(".tile.equity").getByText("above the floor").waitFor(WITHIN);

export const seePosition = (page: Page): Promise<void> =>
  page.getByRole("region", { name: "Open positions" }).locator("tbody tr").first().waitFor(WITHIN);

export async function halt(page: Page, token: string): Promise<void> {
  await confirm(page, "Halt", "Yes, halt", token);
  await page.getByText("HALT: the operator said halt").first().waitFor(WITHIN);
}

export async function resume(page: Page, token: string): Promise<void> {
  await confirm(page, "Resume", "Yes, resume", token);
  await page.getByText("NORMAL", { exact: true }).waitFor(WITHIN);
}

export async function switchTo(page: Page, strategy: string, token: string): Promise<void> {
  await page.getByRole("button", { name: "Switch strategy" }).click();
  await page.locator("dialog select").first().selectOption(strategy);
  await page.getByLabel("Token (BALLAST_STATUS_TOKEN)").fill(token);
  await page.getByRole("button", { name: "Yes, switch" }).click();
  await page.locator(".tile").filter({ hasText: "Strategy" }).getByText(strategy, { exact: true }).waitFor(WITHIN);
}

export async function flatten(page: Page, token: string): Promise<void> {
  await confirm(page, "Flatten", "Yes, flatten", token);
  await page.getByText("Nothing is held.").waitFor(WITHIN);
  await page.getByText("HALT: flattened by the operator").first().waitFor(WITHIN);
}

/** After the agent was killed. */
export const seeSilence = (page: Page): Promise<void> => page.getByText(CUT_OFF).waitFor(WITHIN);

/** After a new start: what the operator commanded before still holds. */
export async function seeRecovery(page: Page): Promise<void> {
  await page.getByText(CUT_OFF).waitFor({ state: "detached", ...WITHIN });
  await page.locator(".tile.equity").getByText("HALT").first().waitFor(WITHIN);
}
