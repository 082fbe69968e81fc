/**
 * What may be asked of the exchange, with the field names of documents 1 §2.3, §2.5 and records §4 to §9. Values are
 * text as on the wire; flags and the leverage may come in the forms that the records allow. Nothing is trusted here.
 */

export type Nothing = Readonly<Record<string, unknown>>;
type Text = string | undefined;
/** "true", "TRUE", true. */
type Flag = string | boolean | undefined;
type Count = string | number | undefined;

/** Pages count from 1. Each list has a size of its own where none is asked; over 1,000 is refused. Records §1.3. */
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

/** For query and cancel: one of the two, of which `orderId` wins. Records §5.3, §5.6. */
export interface OrderKey {
  readonly orderId?: Text;
  readonly clientOrderId?: Text;
}

/** Price or quantity or both, 400001 without either; what is absent stays. Records §5.2. */
export interface Amend extends OrderKey {
  readonly replacePrice?: Text;
  readonly replaceQty?: Text;
}

/** Both filters together; neither means every open order of the portfolio, algo orders not among them. Records §5.4. */
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

/** `filterExecuted` leaves orders without any fill out. Records §5.6. */
export interface OrderHistory extends ListFilter {
  readonly filterExecuted?: Flag;
}

/** `limit` is for the list without pages, `page` and `pageSize` for the other. Records §5.8. */
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

/** `mode` is BOTH for hedge and NET for one-way, per exchange account. Records §4.3. */
export interface SetPositionMode {
  readonly exchange: string;
  readonly mode: string;
}

/** Of one exchange account, or of all. Records §4.4. */
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

/** `portfolioIds` is a comma list; the caller's own where it is absent. Records §4.7. */
export interface BrokerFeeRate {
  readonly exchange?: Text;
  readonly instType?: Text;
  readonly portfolioIds?: Text;
}

/** `phase` is PHASE_I or PHASE_II. Records §8.1. */
export interface TrackARanking {
  readonly phase?: Text;
}

/** `participantId` is the portfolio id here; absent is the caller's own. Records §8.2. */
export interface TrackBRanking {
  readonly participantId?: Text;
}

/** For positions, leverage settings and ADL ranks; absent fields mean all. Records §7.1, §7.5, §7.6. */
export interface PositionFilter {
  readonly sym?: Text;
  readonly exchange?: Text;
}

/** `positionSide` names the position in hedge mode and must be absent in one-way mode. Records §7.3. */
export interface ClosePosition {
  readonly sym: string;
  readonly positionSide?: Text;
}

/** Wants `closeAllPos` or `symList`, a comma list; the other two narrow it. Records §7.4. */
export interface CloseAllPositions {
  readonly exchangeType?: Text;
  readonly closeAllPos?: Flag;
  readonly symList?: Text;
  readonly positionSide?: Text;
}

/** A whole number from 1 to the symbol's maximum, as text or number. Records §7.5. */
export interface SetLeverage {
  readonly sym: string;
  readonly leverage: string | number;
}

/** A symbol or, for the brackets, a comma list. */
export interface SymbolFilter {
  readonly sym?: Text;
}

/** For the borrowing tables of records §9.5. */
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

/** One of the ids; for query, amendment and cancel. Records §6.3. */
export interface AlgoKey {
  readonly algoOrderId?: Text;
  readonly clientOrderId?: Text;
  /** For the query alone. */
  readonly attachedOrderId?: Text;
}

/** Triggers or quantity; what is absent stays. Records §6.3. */
export interface AmendAlgo extends AlgoKey, Triggers {
  readonly orderQty?: Text;
}

/** All filters together; none means every live algo order of the portfolio. Records §6.3. */
export interface CancelAllAlgos {
  readonly sym?: Text;
  readonly exchangeType?: Text;
  readonly businessType?: Text;
  readonly algoOrderType?: Text;
  readonly conditionType?: Text;
}

/** For open algo orders and their history; TPSL is the only type there is. */
export interface AlgoList extends ListFilter {
  readonly algoOrderType?: Text;
}

/** What every algo write answers; the client id is the venue's own where none was sent. */
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
