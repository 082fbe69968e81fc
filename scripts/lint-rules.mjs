// Rules of this repository for oxlint (.oxlintrc.json): patterns in the syntax, each with what to write instead.
const forbid = (patterns) => ({
  create: (context) =>
    Object.fromEntries(
      patterns.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
});

const CLOCK = "Take a Clock instead.";
// Time and chance are handed in (core/env.ts); only core and main may reach for the machine's own.
const ambient = [
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: CLOCK },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: CLOCK },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: "Take an Entropy instead.",
  },
  { selector: "CallExpression[callee.object.name='performance']", message: CLOCK },
  { selector: "CallExpression[callee.name=/^(setTimeout|setInterval)$/]", message: CLOCK },
  { selector: "CallExpression[callee.property.name='randomUUID']", message: "Take Ids instead." },
];

const UTC = "It reads the machine's zone. Use UTC: core/time.ts.";
// Faults C5. A text without a zone would mean another instant on every machine, so only `parseInstant` parses dates.
const localTime = [
  "CallExpression[callee.property.name=/^((get|set)(Hours|Minutes|Day|Date|Month|FullYear|Year)|getTimezoneOffset|toLocale.*String|to(Date|Time)String)$/]",
  "NewExpression[callee.name='Date'][arguments.length>1]",
  "NewExpression[callee.name='Date'] > :matches(Literal, TemplateLiteral).arguments",
  "CallExpression[callee.name='Date']",
  "MemberExpression[object.name='Intl'][property.name='DateTimeFormat']",
].map((selector) => ({ selector, message: UTC }));

const dateParse = [
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='parse']", message: UTC },
];

// A title of a test is read in a list: one line of a terminal.
const longTitles = ["callee.name", "callee.object.name", "callee.callee.object.name"].flatMap((name) =>
  ["Literal.arguments:first-child[value=LONG]", "TemplateLiteral.arguments:first-child[quasis.0.value.raw=LONG]"].map(
    (title) => ({
      selector: `CallExpression[${name}=/^(test|it|describe)$/] > ${title.replace("LONG", "/^.{101,}$/")}`,
      message: "The title of a test has at most 100 letters.",
    }),
  ),
);

export default {
  meta: { name: "ballast" },
  rules: {
    "no-ambient": forbid(ambient),
    "no-local-time": forbid(localTime),
    "no-date-parse": forbid(dateParse),
    "no-long-titles": forbid(longTitles),
  },
};
