import { run } from './processes.mjs';
import { freshFile } from './tally.mjs';
import { command, readText } from './workspace.mjs';

/** The folders with unit and API tests. */
export const vitestSuites = [
  'packages/contracts',
  'packages/idempotency-server',
  'packages/idempotency-client',
  'apps/api',
  'apps/card-network',
  'apps/web',
  'scripts',
];

/**
 * Runs the tests of one folder.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import('./tally.mjs').Outcome>}
 */
export async function runVitest(folder, env) {
  const report = freshFile(`${folder.replaceAll('/', '-')}.json`);
  const { code, output } = await run({
    program: command('.', 'vitest'),
    args: ['run', '--root', folder, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    env,
    output: 'capture',
  });
  return { ...countVitest(readText(report), code), output };
}

/**
 * Counts a JSON report of Vitest. A file that cannot even be loaded has no failed test, and an error outside of every
 * test fails none either: both count as a failure here, and so does a run without a report.
 * @param {string | undefined} report
 * @param {number} code the exit code of Vitest
 */
export function countVitest(report, code) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  /** @type {{ numPassedTests: number, numPendingTests: number, numTodoTests: number, numFailedTests: number,
   *   testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  const { numPassedTests, numPendingTests, numTodoTests, numFailedTests, testResults } = JSON.parse(report);
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = numFailedTests + brokenFiles.length;
  return {
    passed: numPassedTests,
    failed: failed || (code === 0 ? 0 : 1),
    skipped: numPendingTests + numTodoTests,
  };
}
