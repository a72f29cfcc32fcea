import { ContactPage, letter } from './contact-page.js';
import { doubleSubmit, holdReply, loseReply, loseRequest } from './payment-gestures/index.js';
import { maySendMessage, PaymentRequests } from './payment-requests.js';
import { messagesUrl } from './shop.js';
import { test as base, expect } from './shop-test.js';
import { words } from './words.js';

const test = base.extend<{ contact: ContactPage; requests: PaymentRequests }>({
  contact: async ({ page }, use) => use(new ContactPage(page)),
  requests: async ({ context }, use) => use(new PaymentRequests(context, maySendMessage)),
});

const gestures: Record<string, (contact: ContactPage) => Promise<void>> = {
  'A double click': ({ send }) => doubleSubmit.doubleClick(send),
  'Two submits in one task': ({ form }) => doubleSubmit.twoInOneTask(form),
  'Enter held down in a field': ({ email }) => doubleSubmit.heldEnter(email),
};

for (const [gesture, make] of Object.entries(gestures)) {
  test(`${gesture} sends one message`, async ({ shop, contact, requests }) => {
    await contact.write();
    await make(contact);
    await expect(contact.notice(words.en.messageSent)).toBeFocused();
    expect(requests.count).toBe(1);
    expect(await contact.storedNames()).toEqual([]);
    expect(await shop.ledger.messages(shop.sandboxId)).toEqual([letter]);
  });
}

test('When the reply is lost the same key is sent again, and the message was sent once', async ({
  page,
  shop,
  contact,
  requests,
}) => {
  await contact.write();
  const lost = await loseReply(page, messagesUrl, { times: 1 });
  await contact.send.click();
  await expect(contact.notice(words.en.messageSentBefore)).toBeVisible();
  expect(lost.statuses).toEqual([201]);
  expect(requests.keys).toHaveLength(1);
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([letter]);
});

test('When every reply is lost it says what may be, keeps what was written, and trying again sends nothing twice', async ({
  page,
  shop,
  contact,
  requests,
}) => {
  await contact.hurry();
  await contact.write();
  const lost = await loseReply(page, messagesUrl);
  await contact.send.click();
  await expect(contact.notice(words.en.messageUnknown)).toContainText(words.en.messageUnknownHint);
  await expect(contact.retrySafely).toBeVisible();
  const [name] = await contact.storedNames();

  await page.reload();
  await expect(contact.notice(words.en.messageUnknown)).toBeVisible();
  await expect(contact.text).toHaveValue(letter.text);
  await expect(contact.send).toHaveCount(0);
  expect(await contact.storedNames()).toEqual([name]);
  await lost.stop();
  await contact.retrySafely.click();
  await expect(contact.notice(words.en.messageSentBefore)).toBeVisible();
  expect(requests.keys).toHaveLength(1);
  expect(await contact.storedNames()).toEqual([]);
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([letter]);
});

test('A refusal on the way, after a lost reply, is no word of the shop: it still says what may be, and keeps the key', async ({
  page,
  shop,
  contact,
  requests,
}) => {
  await contact.hurry();
  await contact.write();
  const lost = await loseReply(page, messagesUrl, { times: 1 });
  await page.route(messagesUrl, (route) =>
    lost.statuses.length === 0
      ? route.fallback()
      : route.fulfill({ status: 403, contentType: 'text/html', body: 'Not from this network.' }),
  );
  await contact.send.click();
  await expect(contact.notice(words.en.messageUnknown)).toBeVisible();
  await expect(contact.retrySafely).toBeVisible();
  await page.unroute(messagesUrl);
  await contact.retrySafely.click();
  await expect(contact.notice(words.en.messageSentBefore)).toBeVisible();
  expect(requests.keys).toHaveLength(1);
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([letter]);
});

test('A message that another tab has sent cannot be sent by this one', async ({
  context,
  page,
  shop,
  contact,
}) => {
  await contact.hurry();
  await contact.write();
  const lost = await loseReply(page, messagesUrl);
  await contact.send.click();
  await expect(contact.retrySafely).toBeVisible();
  const other = new ContactPage(await context.newPage());
  await other.page.goto('/contact');
  await other.retrySafely.click();
  await expect(other.notice(words.en.messageSentBefore)).toBeVisible();
  await expect(contact.notice(words.en.messageEndedElsewhere)).toBeVisible();
  await lost.stop();
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([letter]);
});

test('A message without an answer can be given up for another', async ({ page, shop, contact, requests }) => {
  await contact.hurry();
  await contact.write();
  const lost = await loseRequest(page, messagesUrl);
  await contact.send.click();
  await contact.another.click();
  await expect(contact.text).toHaveValue('');
  expect(await contact.storedNames()).toEqual([]);
  await lost.stop();
  await contact.fill({ ...letter, text: 'Another.' });
  await contact.send.click();
  await expect(contact.notice(words.en.messageSent)).toBeVisible();
  expect(requests.keys).toHaveLength(2);
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([{ ...letter, text: 'Another.' }]);
});

test('A message that never arrived keeps its key, and is sent by trying again', async ({
  page,
  shop,
  contact,
  requests,
}) => {
  await contact.hurry();
  await contact.write();
  const lost = await loseRequest(page, messagesUrl);
  await contact.send.click();
  await expect(contact.retrySafely).toBeVisible();
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([]);
  await lost.stop();
  await contact.retrySafely.click();
  await expect(contact.notice(words.en.messageSent)).toBeVisible();
  expect(requests.keys).toHaveLength(1);
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([letter]);
});

test('What cannot be sent is said at the fields, and sends nothing', async ({
  page,
  shop,
  contact,
  requests,
}) => {
  await page.goto('/contact');
  await contact.email.fill('ayu@example');
  await contact.send.click();
  await expect(contact.name).toBeFocused();
  for (const [index, field] of [contact.name, contact.email, contact.text].entries()) {
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(words.en.messageInvalid[index] ?? '');
  }
  expect(requests.count).toBe(0);
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([]);
});

test('Two messages of two tabs are two keys, and another message of one tab is a third', async ({
  context,
  page,
  shop,
  contact,
  requests,
}) => {
  const other = new ContactPage(await context.newPage());
  const second = { ...letter, text: 'And a trumpet?' };
  await other.write(second);
  await contact.write();
  const hold = await holdReply(page, messagesUrl);
  await contact.send.click();
  await hold.held;
  await other.send.click();
  await expect(other.notice(words.en.messageSent)).toBeVisible();
  hold.release();
  await expect(contact.notice(words.en.messageSent)).toBeVisible();

  await contact.another.click();
  await expect(contact.text).toHaveValue('');
  const third = { ...letter, text: 'Never mind.' };
  await contact.fill(third);
  await contact.send.click();
  await expect(contact.notice(words.en.messageSent)).toBeVisible();
  expect(requests.keys).toHaveLength(3);
  expect(await shop.ledger.messages(shop.sandboxId)).toEqual([letter, second, third]);
});
