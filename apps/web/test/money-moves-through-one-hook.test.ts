import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, code: readFileSync(join(source, file), 'utf8') }));

/** Every match in the sources, with the file that holds it. */
function find(pattern: RegExp): string[] {
  return files.flatMap(({ file, code }) => [...code.matchAll(pattern)].map(([match]) => `${file}: ${match}`));
}

it('the one hook sends payments, refunds and messages, each from one place', () => {
  expect(find(/useIdempotentMutation\(|operation: '.*'/g).sort()).toEqual([
    "checkout/pay-form.tsx: operation: 'payments.create'",
    'checkout/pay-form.tsx: useIdempotentMutation(',
    "contact/contact-form.tsx: operation: 'messages.create'",
    'contact/contact-form.tsx: useIdempotentMutation(',
    "orders/refund-form.tsx: operation: 'refunds.create'",
    'orders/refund-form.tsx: useIdempotentMutation(',
  ]);
});

it('nothing beside it posts, but for the making of a sandbox', () => {
  expect(find(/request(<.*>)?\(\s*'POST',\s*'[^']*'/g)).toEqual([
    "sandbox/sandbox.api.ts: request('POST', '/sandboxes'",
  ]);
  expect(find(/'POST'/g).sort()).toEqual(["api/http.ts: 'POST'", "sandbox/sandbox.api.ts: 'POST'"]);
});

it('the transport is the only file that talks to the network by itself', () => {
  expect(
    find(/\bfetch\(|sendBeacon|XMLHttpRequest|EventSource|WebSocket|formAction|method="post"/gi),
  ).toEqual(['api/http.ts: fetch(']);
});

it('the addresses of what moves money or sends are written once, for the hook', () => {
  expect(find(/\/(payments|refunds|messages)`|'\/api\/messages'/g).sort()).toEqual([
    'checkout/payment.api.ts: /payments`',
    "contact/message.api.ts: '/api/messages'",
    'orders/refund.api.ts: /refunds`',
  ]);
});
