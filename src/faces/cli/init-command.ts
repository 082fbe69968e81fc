/** `ballast init`: its options, one for each question. */
import { type Command, Option } from "commander";

/** A given answer is not asked for; with `input` false nothing is asked. */
export interface InitOptions {
  readonly venue?: string;
  readonly apiHost?: string;
  readonly phase?: string;
  readonly strategy?: string;
  readonly model?: string;
  readonly prices?: string;
  readonly maxOrder?: string;
  readonly maxTotal?: string;
  readonly consent?: string;
  readonly place?: string;
  readonly input: boolean;
  readonly json: boolean;
}

/** `dir` is the folder that the files go into. */
export function addInit(program: Command, run: (dir: string, options: InitOptions) => Promise<void>): void {
  program
    .command("init [dir]")
    .description("Create your own set-up: ask questions or take options, and write the files.")
    .addOption(new Option("--venue <name>", "where to trade").choices(["practice", "service"]))
    .option("--api-host <address>", "address of the real service's trading interface")
    .option("--phase <1|2>", "phase of the competition on the real service")
    .option("--strategy <name>", "strategy (default: llm-trader)")
    .option("--model <name>", "language model, as the gateway spells it")
    .option("--prices <in,out,cached>", "its prices, USD per million tokens")
    .option("--max-order <usdt>", "largest value of one order")
    .option("--max-total <usdt>", "largest value of all orders in a day")
    .option("--consent <sentence>", "your consent to trade, which names both caps")
    .addOption(new Option("--place <where>", "where it will run").choices(["container", "machine"]))
    .option("--no-input", "ask nothing: use the suggestion for every missing option")
    .option("--json", "one JSON object", false)
    .addHelpText(
      "after",
      "\nIt writes a configuration with its JSON Schema, .env.example, your own prompt, and a compose file. It never overwrites a file.\n\nExamples:\n  $ ballast init my-agent\n  $ ballast init my-agent --no-input --place machine",
    )
    .action((dir: string | undefined, options: InitOptions) => run(dir ?? ".", options));
}
