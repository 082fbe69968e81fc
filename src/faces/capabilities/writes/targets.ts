/** Every write, by the id of its capability. */
import type { ActionKind } from "../../../desk/action.ts";
import { algoCancelTarget, algoPlaceTarget, algoReplaceTarget } from "./algo.ts";
import { cancelAllTarget, cancelTarget, replaceTarget } from "./change.ts";
import { closeAllTarget, closeTarget } from "./close.ts";
import { placeTarget } from "./place.ts";
import { leverageTarget, modeTarget } from "./settings.ts";
import type { WriteTarget } from "./target.ts";

/** `trade.preview` accepts these ids as `targetCapabilityId`. */
export const WRITE_TARGETS: Readonly<Record<ActionKind, WriteTarget>> = {
  "order.place": placeTarget,
  "order.replace": replaceTarget,
  "order.cancel": cancelTarget,
  "order.cancel-all": cancelAllTarget,
  "position.close": closeTarget,
  "position.close-all": closeAllTarget,
  "position.set-leverage": leverageTarget,
  "portfolio.set-position-mode": modeTarget,
  "algo.place": algoPlaceTarget,
  "algo.replace": algoReplaceTarget,
  "algo.cancel": algoCancelTarget,
};

/** Takes a caller's text: inherited names such as `toString` are no targets. */
export const isWriteTarget = (id: string): id is ActionKind => Object.hasOwn(WRITE_TARGETS, id);
