import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { Ledger } from './ledger.js';

const reconcileCommand = fileURLToPath(new URL('../../apps/api/dist/reconcile-command.js', import.meta.url));

/** One line of the command: the id of a payment or refund, and in what the two records disagree about it. */
const line = /^(?<reference>[0-9a-f-]{36}) {2}(?<difference>.+?) {2}ours: /;

/** In what an operation differs that was approved for something else than was asked: it needs a person, too. */
const spoils: ReadonlySet<string> = new Set(['another amount', 'another status']);

/**
 * After the last test the shop's record and the card network's are compared, as an operator does it. Only payments with
 * the cards that are made for it may differ, and each of them must. Other runs may be under way on the same database.
 */
export default async function recordsAgree(): Promise<void> {
  const ledger = Ledger.open();
  try {
    const startedAt = new Date();
    await expect
      .poll(() => ledger.unsettledBefore(startedAt), {
        message: 'what the tests left open is settled',
        timeout: 60_000,
      })
      .toEqual([]);
    const mustDiffer = await ledger.spoilt('settled');
    const found = await reconcile();
    const mayDiffer = await ledger.spoilt('all');

    const surprises = found.filter(
      ({ reference, difference }) => !spoils.has(difference) || !mayDiffer.includes(reference),
    );
    expect(surprises, 'differences that no test has made').toEqual([]);
    const references = new Set(found.map(({ reference }) => reference));
    expect([...references], 'differences that tests have made').toEqual(expect.arrayContaining(mustDiffer));
    console.log(
      `The shop's record agrees with the card network's, but for ${references.size} that tests have spoilt.`,
    );
  } finally {
    await ledger.close();
  }
}

async function reconcile(): Promise<{ reference: string; difference: string }[]> {
  const env = { ...process.env, DATABASE_URL: process.env['TEST_DATABASE_URL'] };
  // It ends with 1 when it has found differences, and also when it could not compare: its lines tell which.
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [reconcileCommand], { env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  return output
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      const { reference, difference } = line.exec(text)?.groups ?? {};
      if (!reference || !difference) throw new Error(`The records could not be compared.\n${output}`);
      return { reference, difference };
    });
}
