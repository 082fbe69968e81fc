import tseslint from "typescript-eslint";

// Time and chance are handed in (core/env.ts); only core and main may reach for the machine's own.
const ambient = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: "Take a Clock instead.",
  },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: "Take a Clock instead." },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: "Take an Entropy instead.",
  },
  { selector: "CallExpression[callee.object.name='performance']", message: "Take a Clock instead." },
  { selector: "CallExpression[callee.name=/^(setTimeout|setInterval)$/]", message: "Take a Clock instead." },
  { selector: "CallExpression[callee.property.name='randomUUID']", message: "Take Ids instead." },
];

const LOCAL = "It reads the machine's zone. Use UTC: core/time.ts.";
// Faults C5. A text without a zone would mean another instant on every machine, so only `parseInstant` parses dates.
const localTime = [
  {
    selector:
      "CallExpression[callee.property.name=/^((get|set)(Hours|Minutes|Day|Date|Month|FullYear|Year)|getTimezoneOffset|toLocale.*String|to(Date|Time)String)$/]",
    message: LOCAL,
  },
  { selector: "NewExpression[callee.name='Date'][arguments.length>1]", message: LOCAL },
  { selector: "NewExpression[callee.name='Date'] > :matches(Literal, TemplateLiteral).arguments", message: LOCAL },
  { selector: "CallExpression[callee.name='Date']", message: LOCAL },
  { selector: "MemberExpression[object.name='Intl'][property.name='DateTimeFormat']", message: LOCAL },
];
const parsing = [
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='parse']", message: LOCAL },
];

/** A title of a test is read in a list: one line of a terminal. */
const longTitles = ["[callee.name=NAMES]", "[callee.object.name=NAMES]", "[callee.callee.object.name=NAMES]"].flatMap(
  (callee) =>
    ["Literal.arguments:first-child[value=LONG]", "TemplateLiteral.arguments:first-child[quasis.0.value.raw=LONG]"].map(
      (title) => ({
        selector: `CallExpression${callee} > ${title}`
          .replace("NAMES", "/^(test|it|describe)$/")
          .replace("LONG", "/^.{101,}$/"),
        message: "The title of a test has at most 100 letters.",
      }),
    ),
);

export default tseslint.config(
  { ignores: ["dist/", "data/", "coverage/", "node_modules/"] },
  {
    files: ["**/*.{ts,tsx}"],
    // Rules that need types are in .oxlintrc.json: its compiler is ten times as fast.
    extends: [...tseslint.configs.strict],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-dynamic-delete": "off",
      "@typescript-eslint/no-invalid-void-type": "off",
      "no-console": "error",
    },
  },
  {
    files: ["src/**/*.{ts,tsx}", "strategies/**/*.ts"],
    ignores: ["src/core/**", "src/main/**", "src/web/**"],
    rules: { "no-restricted-syntax": ["error", ...ambient, ...localTime, ...parsing] },
  },
  // A page is a shell: it has the browser's clock and timers. What it parses bears its zone.
  { files: ["src/web/**/*.{ts,tsx}"], rules: { "no-restricted-syntax": ["error", ...localTime] } },
  {
    files: ["src/core/**/*.ts", "src/main/**/*.ts"],
    ignores: ["src/core/time.ts"],
    rules: { "no-restricted-syntax": ["error", ...localTime, ...parsing] },
  },
  // The verifier shares no line with what it checks; what it parses bears its zone.
  { files: ["src/verify/**/*.ts"], rules: { "no-restricted-syntax": ["error", ...ambient, ...localTime] } },
  { files: ["test/**/*.ts", "scripts/**"], rules: { "no-console": "off" } },
  { files: ["test/**/*.ts"], rules: { "no-restricted-syntax": ["error", ...longTitles] } },
);
