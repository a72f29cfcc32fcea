// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { visit } from './page.js';
import { type PaymentServer, startPaymentServer } from './payment-server.js';
import { PayForm } from './readme-example.js';

let server: PaymentServer;

beforeEach(async () => {
  server = await startPaymentServer();
  visit(server);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('the example of the README is the one that is compiled here', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const example = readFileSync(join(import.meta.dirname, 'readme-example.tsx'), 'utf8');
  expect(readme).toContain(`\`\`\`tsx\n${example}\`\`\`\n`);
});

test('the example of the README pays once', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PayForm orderId="1" />
    </QueryClientProvider>,
  );
  const pay = screen.getByRole('button', { name: 'Pay' });
  fireEvent.click(pay);
  fireEvent.click(pay);
  await screen.findByText('Paid. You were charged once.');
  expect(server.charges).toEqual(['{"method":{"type":"balance"}}']);
  expect(server.posts).toHaveLength(1);
});
