// @vitest-environment happy-dom
import { act, cleanup, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { body, openPage, otherTabRemoved, type Receipt, storedKey, visit } from './page.js';
import {
  answerWith,
  holdReply,
  loseReply,
  type PaymentServer,
  refuseWith,
  startPaymentServer,
} from './payment-server.js';

let server: PaymentServer;

beforeEach(async () => {
  server = await startPaymentServer();
  visit(server);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('a decline is refused, and the next press is a new key', async () => {
  const page = await openPage('order:decline');
  act(() => page.result.current.submit('{"card":"declined"}'));
  await waitFor(() => expect(page.result.current.state).toMatchObject({ kind: 'refused' }));
  expect(page.result.current.state).toMatchObject({ problem: { code: 'card_declined', retry: 'new_key' } });
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state).toMatchObject({ kind: 'succeeded', how: 'now' }));
  const [first, second] = server.posts;
  expect(second?.key).not.toBe(first?.key);
  expect(server.charges).toEqual([body]);
});

test('coming back to a refusal does not take it away', async () => {
  server.breakNext(refuseWith(401, 'unauthenticated', 'never'));
  const page = await openPage('order:read-later');
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state.kind).toBe('refused'));
  act(() => void window.dispatchEvent(new Event('focus')));
  await server.asksArrived(1);
  await fetch('/payments/1');
  expect(page.result.current.state).toMatchObject({ kind: 'refused', problem: { status: 401 } });
});

test('a lost reply is retried and shown as the replay that it is', async () => {
  server.breakNext(loseReply);
  const page = await openPage('order:replay');
  act(() => page.result.current.submit(body));
  await waitFor(() =>
    expect(page.result.current.state).toMatchObject({ kind: 'succeeded', how: 'replayed' }),
  );
});

test('from the first lost reply it is unknown, while the same key is being sent again', async () => {
  const held = holdReply();
  server.breakNext(loseReply, held.fault);
  const page = await openPage('order:first-loss');
  act(() => page.result.current.submit(body));
  await act(() => server.postsArrived(2));
  expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: false });
  act(() => page.result.current.submit(body));
  held.release();
  await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
  expect(server.posts).toHaveLength(2);
  expect(server.charges).toEqual([body]);
});

test('an outage is unknown and never refused, and becomes the receipt by itself', async () => {
  server.breakNext(loseReply, answerWith(502, 'x'), answerWith(503, 'x'), answerWith(504, 'x'));
  server.askSays('unreachable');
  const page = await openPage('order:outage');
  act(() => page.result.current.submit(body));
  await act(() => server.asksArrived(1));
  expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: false });
  act(() => page.result.current.submit(body));
  server.askSays('truth');
  await waitFor(() => expect(page.result.current.state).toMatchObject({ kind: 'succeeded', how: 'asked' }));
  expect(server.posts).toHaveLength(4);
});

test('202 is in progress, and a press meanwhile sends nothing', async () => {
  server.breakNext(answerWith(202, {}));
  server.askSays('unreachable');
  const page = await openPage('order:accepted');
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'in_progress' }));
  const before = page.result.current.state;
  server.askSays('processing');
  await server.asksArrived(2);
  act(() => page.result.current.submit(body));
  await server.asksArrived(3);
  expect(page.result.current.state).toBe(before);
  expect(server.posts).toHaveLength(1);
});

test('a decline that comes after a 202 is found by asking, and the next press is a new key', async () => {
  server.breakNext(answerWith(202, {}));
  const problem = { status: 402, code: 'card_declined', retry: 'new_key', title: '', detail: '' } as const;
  const page = await openPage('order:late-decline', { ask: async () => ({ kind: 'refused', problem }) });
  act(() => page.result.current.submit('{"card":"declined"}'));
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'refused', problem }));
  expect(localStorage.length).toBe(0);
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state).toMatchObject({ kind: 'succeeded', how: 'now' }));
  const [first, second] = server.posts;
  expect(second?.key).not.toBe(first?.key);
});

test('asking is told where the 202 of this very key said to look, and nothing of an earlier one', async () => {
  server.breakNext(answerWith(202, {}, { Location: '/payments/7' }));
  const problem = { status: 402, code: 'card_declined', retry: 'new_key', title: '', detail: '' } as const;
  const places: (string | null)[] = [];
  const page = await openPage('order:places', {
    async ask(_signal, location) {
      places.push(location);
      return location === null ? { kind: 'processing' } : { kind: 'refused', problem };
    },
  });
  act(() => page.result.current.submit('{"card":"declined"}'));
  await waitFor(() => expect(page.result.current.state).toMatchObject({ kind: 'refused' }));
  expect(places).toEqual(['/payments/7']);
  server.breakNext(answerWith(202, {}));
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(places).toEqual(['/payments/7', null]));
  expect(page.result.current.state).toEqual({ kind: 'in_progress' });
});

test('a refusal that proves nothing is told only after the server knows of nothing', async () => {
  server.breakNext(answerWith(500, 'x'), refuseWith(400, 'request_invalid', 'never'));
  server.askSays('unreachable');
  const page = await openPage('order:unproven');
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: false }));
  expect(storedKey('order:unproven')).toBe(server.posts[0]?.key);
  server.askSays('truth');
  act(() => page.result.current.askNow());
  await waitFor(() => expect(page.result.current.state).toMatchObject({ kind: 'refused' }));
  expect(page.result.current.state).toMatchObject({ problem: { code: 'request_invalid' } });
  expect(localStorage.length).toBe(0);
});

test('a reused key shows the first answer, with the refusal beside it', async () => {
  server.charges.push('{"first":true}');
  server.breakNext(refuseWith(422, 'idempotency_key_reused', 'never'));
  const page = await openPage('order:reused');
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
  expect(page.result.current.state).toMatchObject({
    how: 'asked',
    answer: { paid: '{"first":true}' },
    problem: { code: 'idempotency_key_reused' },
  });
  expect(server.charges).toHaveLength(1);
});

test('whoever has to sign in first keeps the key', async () => {
  server.breakNext(answerWith(500, 'x'), refuseWith(401, 'unauthenticated', 'never'));
  const page = await openPage('order:signed-out');
  act(() => page.result.current.submit(body));
  await waitFor(() =>
    expect(page.result.current.state).toMatchObject({ kind: 'refused', problem: { status: 401 } }),
  );
  act(() => page.result.current.submit('{"changed":true}'));
  await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
  expect(new Set(server.posts.map((post) => post.key)).size).toBe(1);
  expect(server.charges).toEqual([body]);
});

test('a success that cannot be read is no answer: the same key goes again', async () => {
  server.breakNext(answerWith(200, { from: 'a proxy' }));
  const page = await openPage('order:unreadable', { readAnswer: readReceipt });
  act(() => page.result.current.submit(body));
  await waitFor(() =>
    expect(page.result.current.state).toMatchObject({ kind: 'succeeded', answer: { paid: body } }),
  );
  expect(server.posts).toHaveLength(2);
  expect(new Set(server.posts.map(({ key }) => key)).size).toBe(1);
  expect(server.charges).toEqual([body]);
});

test.each([
  ['a page of a proxy', answerWith(403, 'no')],
  ['a refusal of the caller', refuseWith(401, 'unauthenticated', 'never')],
  ['a refusal of the key', refuseWith(422, 'idempotency_key_reused', 'never')],
])('what cannot be looked up keeps its key after a lost reply and then %s', async (_what, then) => {
  server.breakNext(loseReply, then);
  const page = await openPage('message:1', {
    ask: async () => ({ kind: 'unknowable' }),
    readAnswer: readReceipt,
  });
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: true }));
  act(() => page.result.current.submit('{"another":"message"}'));
  expect(storedKey('message:1')).toBe(server.posts[0]?.key);

  act(() => page.result.current.retrySafely());
  await waitFor(() =>
    expect(page.result.current.state).toMatchObject({ kind: 'succeeded', how: 'replayed' }),
  );
  expect(server.charges).toEqual([body]);
  expect(new Set(server.posts.map(({ key }) => key)).size).toBe(1);
});

test('what cannot be looked up is over when another tab has ended it', async () => {
  server.breakNext(loseReply, refuseWith(401, 'unauthenticated', 'never'));
  const page = await openPage('message:2', { ask: async () => ({ kind: 'unknowable' }) });
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: true }));
  act(() => otherTabRemoved('message:2'));
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'idle' }));
  expect(server.posts).toHaveLength(2);
});

test('blocked storage changes nothing: one key until the answer', async () => {
  const { createIntentStore } = await import('../src/intent-store.js');
  const store = createIntentStore({
    storage: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  const held = holdReply();
  server.breakNext(loseReply, held.fault);
  const page = await openPage('order:blocked', { store });
  act(() => {
    page.result.current.submit(body);
    page.result.current.submit(body);
  });
  await server.postsArrived(2);
  expect(localStorage.length).toBe(0);
  held.release();
  await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
  expect(new Set(server.posts.map((post) => post.key)).size).toBe(1);
  expect(server.charges).toEqual([body]);
});

function readReceipt(answer: unknown): Receipt {
  if (typeof answer === 'object' && answer && 'paid' in answer) return answer as Receipt;
  throw new TypeError('Not a receipt.');
}
