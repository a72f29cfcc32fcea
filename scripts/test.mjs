import { prepareBrowserTests, runBrowserTests } from './browser-tests.mjs';
import { runChecks } from './checks.mjs';
import { install } from './install.mjs';
import { startTemporaryPostgres } from './postgres.mjs';
import { runScript } from './shutdown.mjs';
import { measure, sumUp } from './tally.mjs';
import { runVitest, vitestSuites } from './vitest-suites.mjs';

/** @type {import('./tally.mjs').Outcome[]} */
const results = [];

/** Every check and every suite, whatever became of those before. */
async function test() {
  await install();
  results.push(...(await runChecks()));

  const server = await startTemporaryPostgres();
  const env = { TEST_DATABASE_URL: server.url('postgres', 'postgres') };
  for (const folder of vitestSuites) results.push(await measure(folder, () => runVitest(folder, env)));
  results.push(await measure('e2e', async () => runBrowserTests(await prepareBrowserTests(server))));
}

const work = async () => {
  // What keeps the tests from running at all is a failure to be counted too.
  await test().catch(async (error) => results.push(await measure('test run', () => Promise.reject(error))));
  return sumUp(results);
};
await runScript(work, { interruptedCode: 130 });
