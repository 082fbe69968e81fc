/** The limits of documents 1 §8.2 to §8.4 and 2 §8. REST rates are defined with the endpoints. */

export const MARKET_STREAM_LIMITS = {
  connectionsPerIp: { anonymous: 5, authenticated: 40 },
  /** Counted by symbol: several channels or intervals of one symbol are one pair. */
  pairsPerConnection: { anonymous: 5, authenticated: 50 },
  /** Subscribe and unsubscribe requests, per IP. */
  subscribesPerSecond: 50,
  /**
   * Items that one connection may subscribe in any second; beyond that, code 11240. The documents give no figure
   * [guess].
   */
  subscribedItemsPerSecond: 1_000,
  /** The server closes the connection when the client is silent for this long. */
  idleMs: 60_000,
  pingEveryMs: 20_000,
  /** Interval of TICKER and ORDER_BOOK, 1 §6.1. */
  tickerEveryMs: 2_000,
  bookEveryMs: 250,
  /** Levels per side of the snapshot [guess]. */
  bookDepth: 50,
} as const;

/** The private stream, 1 §8.3: closed after `idleMs` of silence; times in ms. */
export const USER_STREAM_LIMITS = {
  idleMs: 30_000,
  pingEveryMs: 10_000,
  loginsPerSecondPerKey: 1,
  /** Requests in any sliding window of `perMs`, by action. */
  actions: {
    place_order: { requests: 1200, perMs: 60_000 },
    replace_order: { requests: 300, perMs: 60_000 },
    cancel_order: { requests: 1200, perMs: 60_000 },
    cancel_orders: { requests: 1200, perMs: 60_000 },
  },
} as const;

/** The public news stream, 2 §8; times in ms. */
export const FEED_STREAM_LIMITS = {
  /** Beyond this, the next handshake is answered with HTTP 429. */
  connectionsPerIp: 5,
  /** Closed after this long without a ping. */
  idleMs: 90_000,
  /** How often the server checks. */
  checkEveryMs: 30_000,
  pingEveryMs: 20_000,
} as const;

/** How far a nonce or login timestamp may be from server time. Spec: 2 §5; records §1.2, §11.1. */
export const CLOCK_SKEW_MS = { headerNonce: 60_000, queryTimestamp: 300_000, login: 60_000 } as const;

/** Longest client order id, 1 §8.4. */
export const CLIENT_ORDER_ID_MAX = 40;
/** Executions older than this are refused with 400001; order history starts here by default. Records §1.4. */
export const HISTORY_RETENTION_MS = 7 * 86_400_000;
/** How far back the order archive reaches. Records §1.4. */
export const ARCHIVE_RETENTION_MS = 90 * 86_400_000;
/** A placed algo trigger further from the mark than this may be refused. Records §6.2. */
export const ALGO_TRIGGER_MAX_DISTANCE = 0.15;
