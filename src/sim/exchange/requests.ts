/**
 * What may be asked of the exchange, with the field names of documents 1 §2.3, §2.5 and records §4 to §9. Values are
 * text as on the wire; flags and the leverage may come in the forms that the records allow. Nothing is trusted here.
 */

export type Nothing = Readonly<Record<string, unknown>>;
type Text = string | undefined;
/** "true", "TRUE", true. */
type Flag = string | boolean | undefined;
type Count = string | number | undefined;

export interface Paging {
  readonly page?: Count;
  readonly pageSize?: Count;
}

/** Records §5.1. */
export interface Place {
  readonly sym: string;
  readonly side: string;
  readonly positionSide?: Text;
  readonly orderType: string;
  readonly orderQty?: Text;
  readonly quoteOrderQty?: Text;
  readonly limitPrice?: Text;
  readonly timeInForce?: Text;
  readonly clientOrderId?: Text;
  readonly reduceOnly?: Flag;
  readonly tpTriggerPrice?: Text;
  readonly tpTriggerType?: Text;
  readonly tpPrice?: Text;
  readonly slTriggerPrice?: Text;
  readonly slTriggerType?: Text;
  readonly slPrice?: Text;
}

export interface OrderKey {
  readonly orderId?: Text;
  readonly clientOrderId?: Text;
}

export interface Amend extends OrderKey {
  readonly replacePrice?: Text;
  readonly replaceQty?: Text;
}

export interface CancelAll {
  readonly sym?: Text;
  readonly exchangeType?: Text;
}

/** Records §5.6; times in epoch milliseconds as text, both ends inclusive. */
export interface ListFilter extends Paging {
  readonly sym?: Text;
  readonly exchange?: Text;
  readonly businessType?: Text;
  readonly begin?: Text;
  readonly end?: Text;
}

export interface OrderHistory extends ListFilter {
  readonly filterExecuted?: Flag;
}

export interface Executions extends ListFilter {
  readonly orderId?: Text;
  readonly limit?: Count;
}

/** Records §5.9. */
export interface Statement extends Paging {
  readonly coin?: Text;
  readonly sym?: Text;
  readonly exchange?: Text;
  readonly statementType?: Text;
  readonly startTime?: Text;
  readonly endTime?: Text;
}

export interface SetPositionMode {
  readonly exchange: string;
  readonly mode: string;
}

export interface Assets extends Paging {
  readonly exchangeType?: Text;
}

/** Times in epoch seconds as text. Records §4.5. */
export interface TradingStats {
  readonly begin: string;
  readonly end: string;
  readonly exchange?: Text;
  readonly businessType?: Text;
}

export interface BrokerFeeRate {
  readonly exchange?: Text;
  readonly instType?: Text;
  readonly portfolioIds?: Text;
}

export interface TrackARanking {
  readonly phase?: Text;
}

export interface TrackBRanking {
  readonly participantId?: Text;
}

export interface PositionFilter {
  readonly sym?: Text;
  readonly exchange?: Text;
}

export interface ClosePosition {
  readonly sym: string;
  readonly positionSide?: Text;
}

export interface CloseAllPositions {
  readonly exchangeType?: Text;
  readonly closeAllPos?: Flag;
  readonly symList?: Text;
  readonly positionSide?: Text;
}

export interface SetLeverage {
  readonly sym: string;
  readonly leverage: string | number;
}

/** A symbol or, for the brackets, a comma list. */
export interface SymbolFilter {
  readonly sym?: Text;
}

export interface CoinFilter extends Paging {
  readonly exchangeType?: Text;
  readonly coin?: Text;
}

/** The trigger fields that orders and algo orders share. */
export interface Triggers {
  readonly conditionalTriggerPrice?: Text;
  readonly conditionalTriggerType?: Text;
  readonly conditionalPrice?: Text;
  readonly tpTriggerPrice?: Text;
  readonly tpTriggerType?: Text;
  readonly tpPrice?: Text;
  readonly slTriggerPrice?: Text;
  readonly slTriggerType?: Text;
  readonly slPrice?: Text;
}

/** Records §6.1. */
export interface PlaceAlgo extends Triggers {
  readonly algoOrderType: string;
  readonly sym: string;
  readonly conditionType: string;
  readonly side?: Text;
  readonly orderQty?: Text;
  /** `orderType` and `limitPrice` are sent by the official client and ignored: a trigger always fires a MARKET order. */
  readonly orderType?: Text;
  readonly limitPrice?: Text;
  readonly positionSide?: Text;
  readonly reduceOnly?: Flag;
  readonly clientOrderId?: Text;
}

export interface AlgoKey {
  readonly algoOrderId?: Text;
  readonly clientOrderId?: Text;
  /** For the query alone. */
  readonly attachedOrderId?: Text;
}

export interface AmendAlgo extends AlgoKey, Triggers {
  readonly orderQty?: Text;
}

export interface CancelAllAlgos {
  readonly sym?: Text;
  readonly exchangeType?: Text;
  readonly businessType?: Text;
  readonly algoOrderType?: Text;
  readonly conditionType?: Text;
}

export interface AlgoList extends ListFilter {
  readonly algoOrderType?: Text;
}

export interface AlgoIds {
  readonly algoOrderId: string;
  readonly clientOrderId: string;
}

/** Operator only. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
}
