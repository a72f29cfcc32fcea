import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { send } from './http-request.js';
import { newAuthorisation, useNetwork } from './network.js';

const network = useNetwork({ ADMIN: 'off' });

it.each([
  ['POST', '/admin/faults', { fault: 'slow', on: 'mails' }],
  ['DELETE', '/admin/faults', undefined],
  ['POST', '/admin/forget-keys', undefined],
])('Without ADMIN there is no %s %s', async (method, path, body) => {
  expect((await send(network.url + path, { method, body })).status).toBe(404);
});

it('Without ADMIN the cards misbehave all the same', async () => {
  const declined = await network.post('/authorisations', newAuthorisation('card_declined'));
  expect(JSON.parse(declined.text)).toMatchObject({ status: 'declined' });
});

it('The log tells of every request and holds no key, no body and no address', async () => {
  const key = randomUUID();
  const body = newAuthorisation('card_error_after');
  const mail = { to: `${randomUUID()}@example.com`, subject: randomUUID(), text: randomUUID() };
  await network.post('/authorisations', body, key);
  await network.post('/authorisations', body, key);
  await network.post('/mails', mail, key);
  await network.get(`/operations/${body.reference}`);
  await expect.poll(() => network.output).toContain('/operations/:reference');
  expect(network.output).toContain('error_after');
  for (const secret of [key, body.reference, String(body.amountMinor), mail.to, mail.subject, mail.text]) {
    expect(network.output).not.toContain(secret);
  }
});
