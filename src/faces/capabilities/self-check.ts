/** self-check: read-only probes of everything that the other capabilities depend on. Spec: 3 §4.1; records §17.12. */
import { isoTime } from "../../core/time.ts";
import { failure, type Failure, type Status } from "../contract/statuses.ts";
import { type Call, SCHEMA_VERSION } from "../contract/capability.ts";
import type { ReadName } from "../contract/client.ts";
import { readRest } from "./read.ts";

/** `real_tool_call` queried the service, `local_check` only this process. */
export interface Check {
  readonly name: string;
  readonly status: Status;
  readonly source: "local_check" | "real_tool_call";
  readonly message: string;
}

/** `status` is the worst of the checks: FAIL, BLOCKED, NOT_VERIFIED, EXPECTED_ERROR, PASS. */
export interface SelfCheckReport {
  readonly status: Status;
  readonly checks: readonly Check[];
  readonly notVerifiedItems: readonly string[];
  readonly evidence: readonly { source: string; toolOrCommandEvidence: string; timestamp: string }[];
}

const WORST_FIRST: readonly Status[] = ["FAIL", "BLOCKED", "NOT_VERIFIED", "EXPECTED_ERROR", "PASS"];

/** Missing credentials or a rate limit leave a probe unverified; a missing permission is an expected error. */
function probeStatus({ status, digits }: Failure): Status {
  if (digits === "23003" || status === "NOT_VERIFIED") return "NOT_VERIFIED";
  return status === "PERMISSION_SCOPE_ERROR" ? "EXPECTED_ERROR" : "FAIL";
}

const PROBES: readonly { readonly name: string; readonly read: ReadName; readonly params: Record<string, string> }[] = [
  { name: "public-market", read: "markPrice", params: {} },
  { name: "credential-auth", read: "leverage", params: {} },
  { name: "account-balance", read: "portfolioAssets", params: {} },
  { name: "order-list", read: "openOrders", params: { pageSize: "1" } },
  { name: "position-list", read: "positions", params: {} },
];

async function probe(call: Call, { name, read, params }: (typeof PROBES)[number]): Promise<Check> {
  const answer = await readRest(call, read, params);
  const message = answer.ok ? "answered" : answer.error.message;
  return { name, status: answer.ok ? "PASS" : probeStatus(answer.error), source: "real_tool_call", message };
}

/** Runs all probes; sends only reads. */
export async function selfCheck(call: Call, capabilityCount: number): Promise<SelfCheckReport> {
  const local = (name: string, message: string): Check => ({ name, status: "PASS", source: "local_check", message });
  const checks: Check[] = [
    local("discovery", `${capabilityCount} capabilities`),
    local("schema-compatibility", `schema ${SCHEMA_VERSION}`),
  ];
  for (const [index, item] of PROBES.entries()) {
    call.progress(index, PROBES.length, item.name);
    checks.push(await probe(call, item));
  }
  const status = WORST_FIRST.find((word) => checks.some((check) => check.status === word)) ?? "PASS";
  const timestamp = isoTime(call.client.env.clock.nowMs());
  return {
    status,
    checks,
    notVerifiedItems: checks.filter((check) => check.status === "NOT_VERIFIED").map(({ name }) => name),
    evidence: checks.map(({ name, source }) => ({
      source,
      toolOrCommandEvidence: `svc self-check: ${name}`,
      timestamp,
    })),
  };
}

/** The failure for a report other than PASS; its data is the report. */
export function reportFailure(report: SelfCheckReport): Failure {
  const worst = report.checks.find((check) => check.status === report.status);
  const digits = report.status === "NOT_VERIFIED" ? "10002" : report.status === "EXPECTED_ERROR" ? "01004" : "00001";
  const status = report.status === "PASS" ? "FAIL" : report.status;
  return failure(status, digits, `${worst?.name ?? "check"}: ${worst?.message ?? "failed"}`, { data: report });
}
