/**
 * Stryker's vitest runner, but a run in which tests are missing proves nothing and is made again. Under load that runner loses
 * runs and calls their mutants survived (stryker-js, issue 6073).
 */
import { strykerPlugins as vitestPlugins } from "@stryker-mutator/vitest-runner";

export { strykerValidationSchema } from "@stryker-mutator/vitest-runner";

const TRIES = 5;
const [vitest] = vitestPlugins;

/** Nothing failed, but fewer tests ran than should have. */
const lost = ({ status, nrOfTests }, { testFilter }) => status === "survived" && nrOfTests < (testFilter?.length ?? 1);

function sureRunner(injector) {
  const runner = vitest.factory(injector);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) => {
    let result = await mutantRun(options);
    for (let tries = 1; tries < TRIES && lost(result, options); tries++) result = await mutantRun(options);
    const none = result.status === "survived" && result.nrOfTests === 0;
    return none ? { status: "error", errorMessage: `no test ran in ${TRIES} tries` } : result;
  };
  return runner;
}
sureRunner.inject = vitest.factory.inject;

export const strykerPlugins = [{ ...vitest, name: "vitest-sure", factory: sureRunner }];
