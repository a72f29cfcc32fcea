// @vitest-environment happy-dom
import { act, cleanup, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { body, openPage, optionsFor, otherTabRemoved, storedKey, visit } from './page.js';
import {
  hang,
  holdReply,
  loseReply,
  loseRequest,
  type PaymentServer,
  startPaymentServer,
} from './payment-server.js';

const once = { policy: { attemptsMax: 1 } };
let server: PaymentServer;

beforeEach(async () => {
  server = await startPaymentServer();
  visit(server);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

/** Presses once, loses what `fault` loses, and closes the page before it has found out. */
async function leaveBehind(subject: string, fault: typeof loseReply): Promise<string | undefined> {
  server.askSays('unreachable');
  server.breakNext(fault);
  const page = await openPage(subject, once);
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state.kind).toBe('unknown'));
  page.unmount();
  server.askSays('truth');
  return storedKey(subject);
}

describe('after a reload', () => {
  test('the page asks, sends nothing and finds the payment', async () => {
    await leaveBehind('order:found', loseReply);
    const page = await openPage('order:found');
    expect(page.result.current.state).toEqual({ kind: 'resuming' });
    await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
    expect(page.result.current.state).toEqual({ kind: 'succeeded', answer: { paid: body }, how: 'asked' });
    expect(server.posts).toHaveLength(1);
    expect(localStorage.length).toBe(0);
  });

  test('and no payment, it offers to send the same key again', async () => {
    const key = await leaveBehind('order:lost', loseRequest);
    const page = await openPage('order:lost');
    await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: true }));
    expect(server.posts).toHaveLength(1);
    act(() => {
      page.result.current.retrySafely();
      page.result.current.retrySafely();
    });
    await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
    expect(server.posts.map((post) => post.key)).toEqual([key, key]);
    expect(server.posts[1]?.body).toBe(body);
  });

  test('pressing before the first answer uses the stored key and body', async () => {
    const key = await leaveBehind('order:impatient', loseReply);
    const page = await openPage('order:impatient', { ask: () => new Promise(() => {}) });
    act(() => page.result.current.submit('{"amountMinor":999}'));
    await waitFor(() =>
      expect(page.result.current.state).toMatchObject({ kind: 'succeeded', how: 'replayed' }),
    );
    expect(server.posts[1]).toMatchObject({ key, body });
    expect(server.charges).toEqual([body]);
  });

  test('a payment that is still being processed becomes the receipt by itself', async () => {
    await leaveBehind('order:slow', loseReply);
    server.askSays('processing');
    const page = await openPage('order:slow');
    await waitFor(() => expect(page.result.current.state.kind).toBe('in_progress'));
    server.askSays('truth');
    await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
    expect(server.posts).toHaveLength(1);
  });

  test('a server that cannot be asked leaves it unknown, and the next ask tells', async () => {
    await leaveBehind('order:down', loseReply);
    server.askSays('unreachable');
    const page = await openPage('order:down');
    await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: false }));
    act(() => page.result.current.retrySafely());
    server.askSays('truth');
    act(() => page.result.current.askNow());
    await waitFor(() => expect(page.result.current.state).toMatchObject({ kind: 'succeeded', how: 'asked' }));
    expect(server.posts).toHaveLength(1);
  });

  test.each([
    ['that has expired', 'order:old', { expiresAt: '2026-01-01T00:00:00.000Z' }],
    ['of another operation', 'order:strange', { operation: 'payments.make' }],
  ])(
    'a key %s is looked up and not sent, and the next press has a new one',
    async (_what, subject, strange) => {
      const key = await leaveBehind(subject, loseRequest);
      const name = `pay-once:${subject}`;
      const intent = JSON.parse(localStorage.getItem(name) ?? '');
      localStorage.setItem(name, JSON.stringify({ ...intent, ...strange }));
      const page = await openPage(subject);
      expect(page.result.current.state).toEqual({ kind: 'resuming' });
      await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'idle' }));
      expect(server.posts).toHaveLength(1);
      act(() => page.result.current.submit(body));
      await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
      expect(server.posts[1]?.key).not.toBe(key);
    },
  );
});

describe('an event on the page asks and does not send', () => {
  const events: Record<string, () => void> = {
    online: () => window.dispatchEvent(new Event('online')),
    focus: () => window.dispatchEvent(new Event('focus')),
    visibilitychange: () => document.dispatchEvent(new Event('visibilitychange')),
    'pageshow from the back/forward cache': () =>
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
  };

  test.each(Object.keys(events))('%s', async (name) => {
    const subject = `order:${name}`;
    await leaveBehind(subject, loseReply);
    server.askSays('unreachable');
    const ask = vi.fn(optionsFor(subject).ask);
    const page = await openPage(subject, { ask });
    await waitFor(() => expect(page.result.current.state.kind).toBe('unknown'));
    server.askSays('truth');
    const asks = ask.mock.calls.length;
    act(() => events[name]?.());
    expect(ask).toHaveBeenCalledTimes(asks + 1);
    await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
    expect(server.posts).toHaveLength(1);
  });

  test('and a page that has not pressed stays as it is when the server knows of nothing', async () => {
    const page = await openPage('order:idle');
    act(() => events['focus']?.());
    await server.asksArrived(1);
    await fetch('/payments/1');
    expect(page.result.current.state).toEqual({ kind: 'idle' });
    page.unmount();
    window.dispatchEvent(new Event('focus'));
    await fetch('/payments/1');
    expect(server.asks).toBe(3);
  });
});

test('offline at the press sends nothing, and coming online sends nothing either', async () => {
  const online = vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(false);
  const page = await openPage('order:offline');
  // TanStack Query believes the event: by default it would now hold the mutation back and send it when online.
  act(() => void window.dispatchEvent(new Event('offline')));
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'offline' }));
  expect(localStorage.length).toBe(0);
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'idle' }));
  expect(server.posts).toEqual([]);
  act(() => page.result.current.submit(body));
  await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
});

test('offline at the second press is still unknown, because the first may have arrived', async () => {
  const key = await leaveBehind('order:offline-again', loseRequest);
  const page = await openPage('order:offline-again');
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: true }));
  vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(false);
  server.askSays('unreachable');
  act(() => page.result.current.retrySafely());
  await waitFor(() => expect(page.result.current.state).toEqual({ kind: 'unknown', maySendAgain: false }));
  expect(storedKey('order:offline-again')).toBe(key);
  expect(server.posts).toHaveLength(1);
});

describe('another tab', () => {
  test('that has paid is seen by a page that has not pressed', async () => {
    const here = await openPage('order:tabs');
    const there = await openPage('order:tabs');
    act(() => there.result.current.submit(body));
    await waitFor(() => expect(there.result.current.state.kind).toBe('succeeded'));
    act(() => otherTabRemoved('order:tabs'));
    await waitFor(() => expect(here.result.current.state.kind).toBe('succeeded'));
    expect(here.result.current.state).toEqual({
      kind: 'succeeded',
      answer: { paid: body },
      how: 'other_tab',
    });
    expect(server.posts).toHaveLength(1);
  });

  test('presses under the same key while this one waits', async () => {
    const held = holdReply();
    server.breakNext(held.fault);
    const here = await openPage('order:both');
    const there = await openPage('order:both');
    act(() => here.result.current.submit(body));
    await server.postsArrived(1);
    act(() => there.result.current.submit(body));
    await waitFor(() =>
      expect(there.result.current.state).toMatchObject({ kind: 'succeeded', how: 'replayed' }),
    );
    act(() => otherTabRemoved('order:both'));
    await waitFor(() =>
      expect(here.result.current.state).toMatchObject({ kind: 'succeeded', how: 'other_tab' }),
    );
    held.release();
    expect(new Set(server.posts.map((post) => post.key)).size).toBe(1);
    expect(server.charges).toEqual([body]);
  });

  test('that was declined leaves this page free to press', async () => {
    const here = await openPage('order:declined-there');
    const there = await openPage('order:declined-there');
    act(() => there.result.current.submit('{"card":"declined"}'));
    await waitFor(() => expect(there.result.current.state.kind).toBe('refused'));
    act(() => otherTabRemoved('order:declined-there'));
    await server.asksArrived(1);
    await fetch('/payments/1');
    expect(here.result.current.state).toEqual({ kind: 'idle' });
    act(() => here.result.current.submit(body));
    await waitFor(() => expect(here.result.current.state).toMatchObject({ kind: 'succeeded', how: 'now' }));
  });
});

test('an ask that is overtaken by the answer does not replace it', async () => {
  const held = holdReply();
  server.breakNext(held.fault);
  let tell = () => {};
  const overtaken = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const ask = () => overtaken.then(() => ({ kind: 'final', answer: { paid: 'asked' } }) as const);
  const page = await openPage('order:overtaken', { ask });
  act(() => page.result.current.submit(body));
  act(() => page.result.current.askNow());
  held.release();
  await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
  await act(async () => tell());
  expect(page.result.current.state).toMatchObject({ how: 'now', answer: { paid: body } });
});

test('a page that comes back while its request hangs is told by asking, and the request ends', async () => {
  server.breakNext((response, process) => {
    process();
    hang(response, process);
  });
  const page = await openPage('order:frozen', { policy: { attemptTimeoutMs: 60_000 } });
  act(() => page.result.current.submit(body));
  await server.postsArrived(1);
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  await waitFor(() => expect(page.result.current.state).toMatchObject({ kind: 'succeeded', how: 'asked' }));
  expect(localStorage.length).toBe(0);
  expect(server.posts).toHaveLength(1);
});
