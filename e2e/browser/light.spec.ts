import { gzipSync } from 'node:zlib';
import type { Response } from '@playwright/test';
import { expect, test } from './shop-test.js';

/** What a checkout may load, gzipped, in bytes: a slow phone has it within a second or two. */
const BUDGET = { script: 130_000, stylesheet: 10_000 };

test('The checkout loads no more than its budget', async ({ page, shop, checkout }) => {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await checkout.open(await shop.order());

  for (const [type, budget] of Object.entries(BUDGET)) {
    const files = responses.filter((response) => response.request().resourceType() === type);
    expect(files.length, type).toBeGreaterThan(0);
    const bodies = await Promise.all(files.map((file) => file.body()));
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(bytes, type).toBeLessThanOrEqual(budget);
  }
});
