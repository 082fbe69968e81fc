/** Every fault that can be switched on, by group. */
import type { AnyFault } from "./fault.ts";
import { dropBeforeApply } from "./drop-before-apply.ts";
import { duplicatePolicy } from "./duplicate-policy.ts";
import { dropAfterApply } from "./drop-after-apply.ts";
import { restDelay } from "./rest-delay.ts";
import { duplicateDelivery } from "./duplicate-delivery.ts";
import { serverError } from "./server-error.ts";
import { htmlBody } from "./html-body.ts";
import { cutJson } from "./cut-json.ts";
import { rateLimitBurst } from "./rate-limit-burst.ts";
import { readLag } from "./read-lag.ts";
import { schemaDrift } from "./schema-drift.ts";
import { keyRevoked } from "./key-revoked.ts";
import { stalledBody } from "./stalled-body.ts";
import { mute } from "./mute.ts";
import { freeze } from "./freeze.ts";
import { marketDrop } from "./market-drop.ts";
import { marketDuplicate } from "./market-duplicate.ts";
import { marketReorder } from "./market-reorder.ts";
import { corruptGzip } from "./corrupt-gzip.ts";
import { gzipBomb } from "./gzip-bomb.ts";
import { oversizeFrame } from "./oversize-frame.ts";
import { badPrice } from "./bad-price.ts";
import { marketBurst } from "./market-burst.ts";
import { halfOpen } from "./half-open.ts";
import { marketDisconnect } from "./market-disconnect.ts";
import { subscriptionRefused } from "./subscription-refused.ts";
import { pushDrop } from "./push-drop.ts";
import { pushDuplicate } from "./push-duplicate.ts";
import { pushReorder } from "./push-reorder.ts";
import { unknownState } from "./unknown-state.ts";
import { loginRefused } from "./login-refused.ts";
import { userDisconnect } from "./user-disconnect.ts";
import { actionLost } from "./action-lost.ts";
import { externalOrder } from "./external-order.ts";
import { newsFlood } from "./news-flood.ts";
import { newsLate } from "./news-late.ts";
import { newsDisconnect } from "./news-disconnect.ts";
import { news429 } from "./news-429.ts";
import { newsEdited } from "./news-edited.ts";
import { hostileNews } from "./hostile-news.ts";
import { modelLost } from "./model-lost.ts";
import { modelGarbage } from "./model-garbage.ts";
import { modelOverBudget } from "./model-over-budget.ts";
import { model529 } from "./model-529.ts";
import { modelMissingUsage } from "./model-missing-usage.ts";
import { modelWrongModel } from "./model-wrong-model.ts";
import { modelSlow } from "./model-slow.ts";
import { modelKeyExpired } from "./model-key-expired.ts";
import { modelSpendLag } from "./model-spend-lag.ts";
import { modelRateLimit } from "./model-rate-limit.ts";
import { rejectLate } from "./reject-late.ts";
import { cancelThenFill } from "./cancel-then-fill.ts";
import { maintenance } from "./maintenance.ts";
import { clockSkew } from "./clock-skew.ts";
import { ghostFill } from "./ghost-fill.ts";
import { priceGap } from "./price-gap.ts";
import { priceWave } from "./price-wave.ts";
import { newsItem } from "./news-item.ts";
import { haltedSymbol } from "./halted-symbol.ts";
import { ruleChange } from "./rule-change.ts";
import { leverageReset } from "./leverage-reset.ts";

/** What the board knows by name. The order decides nothing but how listings show them. */
export const ALL_FAULTS: readonly AnyFault[] = [
  dropBeforeApply,
  dropAfterApply,
  restDelay,
  duplicateDelivery,
  serverError,
  htmlBody,
  cutJson,
  rateLimitBurst,
  readLag,
  schemaDrift,
  keyRevoked,
  stalledBody,
  mute,
  freeze,
  marketDrop,
  marketDuplicate,
  marketReorder,
  corruptGzip,
  gzipBomb,
  oversizeFrame,
  badPrice,
  marketBurst,
  halfOpen,
  marketDisconnect,
  subscriptionRefused,
  pushDrop,
  pushDuplicate,
  pushReorder,
  unknownState,
  loginRefused,
  userDisconnect,
  actionLost,
  externalOrder,
  newsFlood,
  newsItem,
  newsLate,
  newsDisconnect,
  news429,
  newsEdited,
  hostileNews,
  modelLost,
  modelGarbage,
  modelOverBudget,
  model529,
  modelMissingUsage,
  modelWrongModel,
  modelSlow,
  modelKeyExpired,
  modelSpendLag,
  modelRateLimit,
  rejectLate,
  cancelThenFill,
  maintenance,
  clockSkew,
  ghostFill,
  priceGap,
  priceWave,
  haltedSymbol,
  ruleChange,
  leverageReset,
  duplicatePolicy,
];
