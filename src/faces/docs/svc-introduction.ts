/** The hand-written part of docs/SVC.md. */
export const INTRODUCTION = `# svc: the client

A client for the trading service: a command for people and programs, and MCP tools for a model's host. Everything below the
heading "All capabilities" is generated from the capability records; \`npm run docs\` writes this page.

## Set up

\`\`\`sh
export SVC_ACCESS_KEY=... SVC_SECRET_KEY=... SVC_API_HOST=https://...    # each also as NAME_FILE
svc self-check --json
\`\`\`

To practise without an account, keep \`npx ballast sim --port 8700\` running. It prints \`restUrl\`, \`accessKey\` and \`secretKey\` for the
three variables. As in the competition, it refuses openings until the leverage is low enough (\`svc position set-leverage --help\`).

| variable | use |
|---|---|
| \`SVC_ACCESS_KEY\`, \`SVC_SECRET_KEY\`, \`SVC_API_HOST\` | credentials and REST address |
| \`SVC_MARKET_WS_URL\` | market stream; default: the REST host with \`/marketdata/v2/public\` |
| \`SVC_EXCHANGES\` | exchange identifiers; bare pairs and coins mean the first exchange; default \`EXCHANGE_A,EXCHANGE_B\` |
| \`SVC_STATE_DIR\` | folder of previews, sessions, rules and the audit log (\`svc.db\`, mode 0600); default \`.svc\` |
| \`SVC_READ_ONLY\`, \`SVC_TRADING_ENABLED\` | switch all writes off; a value that is neither yes nor no does the same |
| \`SVC_MAX_NOTIONAL\` | your own cap on the value of each order that is placed or replaced; stops and closes are not capped |
| \`SVC_CANDLE_DIR\` | folder of candles (docs/DATA-FORMAT.md), such as \`ballast data import\` writes, for \`market get-klines\`; the recording of this service by \`ballast run\` in \`BALLAST_DATA_DIR\` is read as well |
| \`SVC_CANDLE_URL\` | a public candle source with \`{symbol}\` \`{base}\` \`{quote}\` \`{interval}\` (\`1H\`) or \`{step}\` (\`1h\`) \`{limit}\` \`{before}\`; used only if set |
| \`SVC_RELEASE_MANIFEST_URL\` | release manifest for \`update check\`, https |
| \`SVC_LOG=1\` | log lines on standard error |

\`svc config set\` stores \`readOnly\`, \`tradingEnabled\`, \`maxNotional\`, \`candleDir\`, \`candleUrl\` and \`manifestUrl\`, which apply while
their variables are not set.

## Calling it

\`svc <domain> <action>\` takes \`--input\` with a JSON object, \`@file\` or \`-\` (standard input), and named options that override it
(\`--position-side long\`). Without \`--json\` it prints tables for people. \`--help\` after any command shows its fields and an
example. \`svc completion bash|zsh|fish\` prints a completion script. For a misspelt command, option, symbol or capability id the
error suggests the nearest known one.

A known coin (\`BTC\`) or a bare pair (\`BTCUSDT\`) means the perpetual on the first exchange of \`SVC_EXCHANGES\`. The full symbol is
printed on standard error, and with \`--json\` as a second entry of \`evidence\`.

With \`--json\` the command prints one line on standard output, the envelope: \`ok\`, \`status\`, \`data\`, \`code\`, \`message\`, \`details\`,
\`auditId\`, \`evidence\`. The exit code is 0 if \`ok\` is true and 1 otherwise. Reads and writes that consist of one REST call return
the service's own envelope unchanged, with the payload at \`data.data\`; \`order cancel\` and \`position close\` return it at
\`data.response\`. The client adds its own fields beside it.

| status | meaning |
|---|---|
| PASS | done |
| FAIL | failed in the client, in transit, or at the service |
| BLOCKED | refused by the client before anything was sent; the message begins with the reason |
| NOT_VERIFIED | the outcome is unknown: a write may have happened, and \`data.lookedUp\` contains the result of a look-up by its id; also if the client fails after it sent the write |
| EXPECTED_ERROR | a probe failed as expected |
| INVALID_INPUT | the input is invalid; the message lists all problems |
| BUSINESS_ERROR | the service refused; its code is in \`details.upstreamCode\` |
| NOT_FOUND | the requested object does not exist |
| PERMISSION_SCOPE_ERROR | the key lacks the permission |

## Preview, then submit

Every write to the service needs a preview: \`order place-preview\`, \`replace-preview\` and \`cancel-preview\`, or \`trade preview\`
with \`targetCapabilityId\` for any write. The answer contains \`previewId\` and \`confirmation.submitToken\`. The submit repeats the
same parameters with \`previewId\`, and with the token as \`continueConsentId\`. It must arrive within five minutes, through the
same interface (command or tool) and for the same account, and it works once. If a parameter differs, the submit is BLOCKED with
the names of the fields that differ. A preview of an order that does not exist is NOT_FOUND. \`trade verify-live\` previews and
submits its own order, by its own consent and in no session.

\`orderReadback\` and \`positionReadback\` of a preview, and \`data.readback\` of a write, are the service's own records. A record that
could not be read is null, with the reason under \`notRead\`. \`order cancel\` waits for the terminal state and reports whether it
was seen. A MARKET order may have a price: it is ignored, and the preview says so.

Without \`--json\` the preview ends with the command that submits it, and a new order needs no \`clientOrderId\`: the client creates
and shows one, and the submit reuses it. Programs (\`--json\`) and models must supply their own, so that they can look an order up
when they do not know whether it was placed.

\`maxNotional\` also limits MARKET orders: preview and submit each value the order by walking the book to its quantity.

## Automation sessions

\`automation start\` records the owner's consent with symbols, actions, order types, a cap per order and a total cap. A preview
names its session; without a name it is bound to the only session that covers it, and refused if several do. A placement uses up
its \`maxNotional\`, a replacement the value of the new order, a cancel nothing. An action that cannot open a position, such as a
close, becomes an ordinary preview if the named session is unknown, has ended or does not list the action; an order or its
replacement is refused in these cases. The used amount is booked in one transaction before the order is sent, and released only
if the service refuses the order, so the caps hold for any number of processes and after a kill. A session is for the account
(\`SVC_API_HOST\` and \`SVC_ACCESS_KEY\`) with which it was started: a consent given in practice covers no real order. Without the
credentials all sessions can be listed and stopped. Stopping a session cancels no orders.

A single preview can carry the owner's consent instead of a session: \`automationMode\` true, and \`automationConsentText\` with the
exact symbol, the \`maxNotional\` value and the intent to automate.

## Tools for a model's host

\`\`\`sh
svc mcp config --host claude|claude-desktop|cursor|vscode|codex|generic
\`\`\`

prints the configuration in the host's own format and with absolute paths: the start command, the state folder, and the limits
that are set in the environment (\`SVC_READ_ONLY\`, \`SVC_MAX_NOTIONAL\` ...). It contains no secrets: the snippet refers to the
variable, to the file of \`NAME_FILE\` or to a prompt of the host, or has a placeholder. Standard error says where to put it.
Written by hand, it is

\`\`\`json
{ "mcpServers": { "svc": { "command": "svc", "args": ["mcp", "serve"],
  "env": { "SVC_ACCESS_KEY": "...", "SVC_SECRET_KEY": "...", "SVC_API_HOST": "https://..." } } } }
\`\`\`

Tools are named \`svc/<domain>/<action>\`. For hosts that refuse slashes add \`"--tool-names", "underscore"\` to \`args\`; calls
under either spelling work. Resources: \`svc://positions\`, \`svc://orders\`, \`svc://audit\`. Prompts: \`place-order\`,
\`close-position\`, \`start-session\`, \`account-review\`. A tool cannot submit a preview that was made by the command.

## Where market data comes from

Funding, mark price and symbol rules come by REST. Ticker, order book, open interest and the running candle come from a short
authenticated subscription to the service's market stream. The service has no call for past candles: the client reads them from
\`SVC_CANDLE_DIR\` and \`SVC_CANDLE_URL\`, if set, and from an agent's recording of the same service, and names these under \`sources\`.
If there are fewer candles than requested, the answer is NOT_VERIFIED with the available ones in \`data\`. The ticker's
\`quoteVolume\` is an estimate from the day's range, because the stream does not report it.

## Audit

\`svc audit list\` and \`svc audit show <auditId>\` show past calls: the key (masked), command or tool, the parameters (secrets
masked), and the result. Every call has a row under the \`auditId\` of its answer, including reads, previews and refused submits;
only an input that is not JSON and an unknown tool have none. If the client is killed during a write, the row stays STARTED. With
\`--json\`, writes and previews, including refused ones, also print their row on standard error as one line of JSON.
`;
