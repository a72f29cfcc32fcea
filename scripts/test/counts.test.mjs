import { expect, test } from 'vitest';
import { countPlaywright } from '../browser-tests.mjs';
import { sumUp } from '../tally.mjs';
import { countVitest } from '../vitest-suites.mjs';

/** @param {object} changes */
const vitestReport = (changes) =>
  JSON.stringify({
    numPassedTests: 2,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [],
    ...changes,
  });

test('tests of Vitest are counted', () => {
  expect(countVitest(vitestReport({ numFailedTests: 3 }), 1)).toEqual({ passed: 2, failed: 3, skipped: 2 });
});

test('a test file that cannot be loaded counts as a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }];
  expect(countVitest(vitestReport({ testResults }), 1).failed).toBe(1);
});

test('an error outside of every test counts as a failure', () => {
  expect(countVitest(vitestReport({}), 1).failed).toBe(1);
});

test.each([countVitest, countPlaywright])('a run without a report counts as a failure: %o', (count) => {
  expect(count(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('a browser test that passes only at the second try counts as failed', () => {
  const report = JSON.stringify({ stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 } });
  expect(countPlaywright(report, 1)).toEqual({ passed: 4, failed: 2, skipped: 2 });
});

const outcome = { passed: 1, failed: 0, skipped: 0, output: '' };

test('everything is summed up in one line', () => {
  expect(sumUp([outcome, { ...outcome, passed: 2, failed: 1 }])).toEqual({
    line: '3 passed, 1 failed',
    code: 1,
  });
});

test('a run in which nothing failed ends well', () => {
  expect(sumUp([outcome]).code).toBe(0);
});

test('a run in which nothing ran does not end well', () => {
  expect(sumUp([]).code).toBe(1);
});
