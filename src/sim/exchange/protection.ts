/** What an order brings along for the position that it opens. Spec: records §5.1, §6. */

/** Take-profit and stop-loss sent with an order; texts as sent, "" where absent. */
export interface AttachedProtection {
  readonly tpTriggerPrice: string;
  readonly tpTriggerType: string;
  readonly tpPrice: string;
  readonly slTriggerPrice: string;
  readonly slTriggerType: string;
  readonly slPrice: string;
}
