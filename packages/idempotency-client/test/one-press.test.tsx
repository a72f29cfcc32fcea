// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useIdempotentMutation } from '../src/react.js';
import { body, openPage, optionsFor, type Receipt, visit } from './page.js';
import { holdReply, type PaymentServer, startPaymentServer } from './payment-server.js';

let server: PaymentServer;

beforeEach(async () => {
  server = await startPaymentServer();
  visit(server);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

/** A second request would have left before this one. */
async function everythingSentHasArrived(): Promise<void> {
  const asks = server.asks;
  await fetch('/payments/1');
  await server.asksArrived(asks + 1);
}

test('two submits in one task send one POST', async () => {
  const held = holdReply();
  server.breakNext(held.fault);
  const page = await openPage('order:double');
  act(() => {
    page.result.current.submit(body);
    page.result.current.submit(body);
  });
  expect(page.result.current.state).toMatchObject({ kind: 'sending', startedAtMs: expect.any(Number) });
  await server.postsArrived(1);
  await everythingSentHasArrived();
  act(() => page.result.current.submit(body));
  await everythingSentHasArrived();
  held.release();
  await waitFor(() => expect(page.result.current.state.kind).toBe('succeeded'));
  expect(page.result.current.state).toEqual({ kind: 'succeeded', answer: { paid: body }, how: 'now' });
  act(() => page.result.current.submit(body));
  await everythingSentHasArrived();
  expect(server.posts).toHaveLength(1);
  expect(server.charges).toEqual([body]);
});

function PayForm() {
  const payment = useIdempotentMutation<Receipt>(optionsFor('order:form'));
  return (
    <form
      aria-label="pay"
      onSubmit={(event) => {
        event.preventDefault();
        payment.submit({ amountMinor: 1 });
      }}
    >
      <p role="status">{payment.state.kind}</p>
    </form>
  );
}

test('two submit events of one form in one task send one POST', async () => {
  render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <PayForm />
      </QueryClientProvider>
    </StrictMode>,
  );
  const held = holdReply();
  server.breakNext(held.fault);
  const form = screen.getByRole('form');
  act(() => {
    fireEvent.submit(form);
    fireEvent.submit(form);
  });
  await server.postsArrived(1);
  await everythingSentHasArrived();
  held.release();
  await screen.findByText('succeeded');
  expect(server.posts.map((post) => post.body)).toEqual(['{"amountMinor":1}']);
});

test('two components with one subject share the lock and the answer', async () => {
  const page = await openPage('order:shared');
  const second = page.mount();
  act(() => {
    page.result.current.submit(body);
    second.result.current.submit(body);
  });
  await waitFor(() => expect(second.result.current.state.kind).toBe('succeeded'));
  expect(page.result.current.state).toBe(second.result.current.state);
  await everythingSentHasArrived();
  expect(server.posts).toHaveLength(1);
});

test('a request outlives its component, and the component mounted again joins it', async () => {
  const held = holdReply();
  server.breakNext(held.fault);
  const page = await openPage('order:remount');
  act(() => page.result.current.submit(body));
  await server.postsArrived(1);
  page.unmount();
  const again = page.mount();
  expect(again.result.current.state.kind).toBe('sending');
  act(() => again.result.current.submit(body));
  await everythingSentHasArrived();
  held.release();
  await waitFor(() => expect(again.result.current.state.kind).toBe('succeeded'));
  expect(server.posts).toHaveLength(1);
});

test('a request that ends while nobody looks frees the lock and leaves no intent', async () => {
  const held = holdReply();
  server.breakNext(held.fault);
  const page = await openPage('order:unmounted');
  act(() => page.result.current.submit(body));
  await server.postsArrived(1);
  page.unmount();
  held.release();
  await waitFor(() => expect(localStorage.length).toBe(0));
  expect(page.mount().result.current.state).toEqual({ kind: 'idle' });
});

test('mounting sends nothing, in StrictMode neither', async () => {
  const page = await openPage('order:mount');
  await everythingSentHasArrived();
  expect(page.result.current.state).toEqual({ kind: 'idle' });
  expect(server.posts).toEqual([]);
});
