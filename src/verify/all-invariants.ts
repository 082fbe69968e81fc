/** Every invariant, in order. */
import type { Invariant } from "./history.ts";
import { i01 } from "./invariants/i01-authorised-wire.ts";
import { i02 } from "./invariants/i02-one-order.ts";
import { i03 } from "./invariants/i03-closure.ts";
import { i04 } from "./invariants/i04-evidence.ts";
import { i05 } from "./invariants/i05-fills-once.ts";
import { i06 } from "./invariants/i06-monotone.ts";
import { i07 } from "./invariants/i07-cancel-honesty.ts";
import { i08 } from "./invariants/i08-reducing.ts";
import { i09 } from "./invariants/i09-protection.ts";
import { i10 } from "./invariants/i10-limits.ts";
import { i11 } from "./invariants/i11-notional.ts";
import { i12 } from "./invariants/i12-leverage.ts";
import { i13 } from "./invariants/i13-gross-leverage.ts";
import { i14 } from "./invariants/i14-floor.ts";
import { i15 } from "./invariants/i15-freshness.ts";
import { i16 } from "./invariants/i16-halt.ts";
import { i17 } from "./invariants/i17-mode.ts";
import { i18 } from "./invariants/i18-symbol-law.ts";
import { i19 } from "./invariants/i19-budget.ts";
import { i20 } from "./invariants/i20-reserve-first.ts";
import { i21 } from "./invariants/i21-cache.ts";
import { i22 } from "./invariants/i22-non-interference.ts";
import { i23 } from "./invariants/i23-model-free.ts";
import { i24 } from "./invariants/i24-chain.ts";
import { i25 } from "./invariants/i25-one-writer.ts";
import { i26 } from "./invariants/i26-convergence.ts";
import { i27 } from "./invariants/i27-idempotent-recovery.ts";
import { i28 } from "./invariants/i28-determinism.ts";
import { i29 } from "./invariants/i29-uptime.ts";
import { i30 } from "./invariants/i30-bounded.ts";
import { i31 } from "./invariants/i31-secrets.ts";
import { i32 } from "./invariants/i32-stdout.ts";
import { i33 } from "./invariants/i33-http.ts";
import { i34 } from "./invariants/i34-files.ts";
import { i35 } from "./invariants/i35-signing.ts";
import { i36 } from "./invariants/i36-reported-truth.ts";
import { i37 } from "./invariants/i37-stop-placement.ts";

/** I1 to I37, in the order in which they are judged and reported. */
export const ALL_INVARIANTS: readonly Invariant[] = [
  i01,
  i02,
  i03,
  i04,
  i05,
  i06,
  i07,
  i08,
  i09,
  i10,
  i11,
  i12,
  i13,
  i14,
  i15,
  i16,
  i17,
  i18,
  i19,
  i20,
  i21,
  i22,
  i23,
  i24,
  i25,
  i26,
  i27,
  i28,
  i29,
  i30,
  i31,
  i32,
  i33,
  i34,
  i35,
  i36,
  i37,
];
