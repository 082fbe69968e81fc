/** What a process needs in its environment to trade on a service, from the addresses that the service reports. */
type Reported = Readonly<
  Record<"restUrl" | "marketWsUrl" | "userWsUrl" | "feedsWsUrl" | "accessKey" | "secretKey" | "aiUrl" | "aiKey", string>
>;

export const serviceEnv = (ready: Reported): Record<string, string> => ({
  SVC_API_HOST: ready.restUrl,
  SVC_MARKET_WS_URL: ready.marketWsUrl,
  SVC_USER_WS_URL: ready.userWsUrl,
  SVC_FEEDS_WS_URL: ready.feedsWsUrl,
  SVC_ACCESS_KEY: ready.accessKey,
  SVC_SECRET_KEY: ready.secretKey,
  AI_BASE_URL: ready.aiUrl,
  AI_API_KEY: ready.aiKey,
});
