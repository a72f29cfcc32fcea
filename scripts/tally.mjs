import { mkdirSync, rmSync } from 'node:fs';
import { inRoot, PlainError } from './workspace.mjs';

/**
 * What a check or a suite came to. A check counts as one.
 * @typedef {{ passed: number, failed: number, skipped: number, output: string }} Outcome
 * @typedef {Outcome & { name: string }} Result
 */

/**
 * Does one check or suite and prints a line about it, and everything it said when it failed. Never throws: work that
 * throws counts as one failure.
 * @param {string} name
 * @param {() => Promise<Outcome>} work
 * @returns {Promise<Result>}
 */
export async function measure(name, work) {
  const startedAt = Date.now();
  const outcome = await work().catch((error) =>
    failure(error instanceof PlainError ? error.message : error.stack),
  );
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const { passed, failed, skipped, output } = outcome;
  const skips = skipped ? `, ${skipped} skipped` : '';
  console.log(
    `${failed ? 'FAILED' : 'ok    '}  ${name.padEnd(28)} ${seconds.padStart(6)} s   ${passed} of ${passed + failed}${skips}`,
  );
  if (failed) console.log(`\n${output.trim()}\n`);
  return { name, ...outcome };
}

/** @returns {Outcome} */
export const success = () => ({ passed: 1, failed: 0, skipped: 0, output: '' });

/** @param {string} output @returns {Outcome} */
export const failure = (output) => ({ passed: 0, failed: 1, skipped: 0, output });

/**
 * The last line of a run, and its exit code: a run in which nothing passed has not shown anything.
 * @param {Outcome[]} results
 */
export function sumUp(results) {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  return { line: `${passed} passed, ${failed} failed`, code: failed || !passed ? 1 : 0 };
}

/** A file for what a run leaves to be read: it does not exist, its folder does. @param {string} name */
export function freshFile(name) {
  const folder = inRoot('.data', 'tests');
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${name}`;
  rmSync(file, { force: true });
  return file;
}
