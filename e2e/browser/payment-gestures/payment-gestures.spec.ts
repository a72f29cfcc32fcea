import { test as base, expect, type Page } from '@playwright/test';
import {
  arriveLate,
  breakStorage,
  countCharges,
  doubleSubmit,
  goOffline,
  holdReply,
  holdRequest,
  loseReply,
  loseRequest,
  twoTabs,
} from './index.js';
import { openSmallShop, type SmallShop } from './two-shops.js';

const test = base.extend<{ careless: SmallShop; careful: SmallShop }>({
  careless: async ({ context: _ }, use) => lend('careless', use),
  careful: async ({ context: _ }, use) => lend('careful', use),
});
test.use({ hasTouch: true });

async function lend(kind: 'careless' | 'careful', use: (shop: SmallShop) => Promise<void>): Promise<void> {
  const shop = await openSmallShop(kind);
  await use(shop);
  await shop.close();
}

const payIn = (page: Page) => page.getByRole('button', { name: 'Pay' });
const nameIn = (page: Page) => page.getByLabel('Name');
const says = (page: Page, text: string) => expect(page.getByRole('status')).toHaveText(text);

/** What each gesture charges in the careless shop; in the careful one it is always once. */
const gestures: { name: string; charges: number; make: (page: Page) => Promise<void> }[] = [
  { name: 'a double click', charges: 2, make: (page) => doubleSubmit.doubleClick(payIn(page)) },
  {
    name: 'two submits in one task',
    charges: 2,
    make: (page) => doubleSubmit.twoInOneTask(page.locator('form')),
  },
  {
    name: 'Enter and a click',
    charges: 2,
    make: (page) => doubleSubmit.enterAndClick(nameIn(page), payIn(page)),
  },
  { name: 'Enter held down', charges: 6, make: (page) => doubleSubmit.heldEnter(nameIn(page)) },
  { name: 'a double tap', charges: 2, make: (page) => doubleSubmit.doubleTap(payIn(page)) },
  {
    name: 'two clicks with a pause',
    charges: 2,
    make: (page) => doubleSubmit.clicksApart(payIn(page), 300),
  },
  {
    name: 'a lost reply and a second press',
    charges: 2,
    async make(page) {
      const lost = await loseReply(page, '**/charge', { times: 1 });
      await payIn(page).click();
      await says(page, 'Failed, try again');
      expect(lost.statuses).toEqual([201]);
      await payIn(page).click();
    },
  },
  {
    name: 'a lost request and a second press',
    charges: 1,
    async make(page) {
      await loseRequest(page, '**/charge', { times: 1 });
      await payIn(page).click();
      await says(page, 'Failed, try again');
      await payIn(page).click();
    },
  },
  {
    name: 'a reload while the reply is held, and a second press',
    charges: 2,
    async make(page) {
      const hold = await holdReply(page, '**/charge');
      await payIn(page).click();
      await hold.held;
      await page.reload();
      hold.release();
      await payIn(page).click();
    },
  },
  {
    name: 'a request that arrives after a reload, and a second press',
    charges: 2,
    async make(page) {
      const late = await arriveLate(page, '**/charge');
      await payIn(page).click();
      await late.left;
      await page.reload();
      expect(await late.arrive()).toBe(201);
      await payIn(page).click();
    },
  },
  {
    name: 'a reload while the request is held, and a second press',
    charges: 1,
    async make(page) {
      const hold = await holdRequest(page, '**/charge');
      await payIn(page).click();
      await hold.held;
      await page.reload();
      hold.release();
      await payIn(page).click();
    },
  },
];

for (const { name, charges, make } of gestures) {
  test(`After ${name} a careless shop has charged ${charges === 1 ? 'once' : `${charges} times`}, a careful one once`, async ({
    context,
    page,
    careless,
    careful,
  }) => {
    for (const [shop, expected] of [
      [careless, charges],
      [careful, 1],
    ] as const) {
      await page.goto(shop.url);
      const during = async () => {
        await make(page);
        await says(page, 'Paid');
      };
      expect((await countCharges({ context, ...shop, during })).charges).toBe(expected);
    }
  });
}

test('After a press in each of two tabs of one storage a careless shop has charged 2 times, a careful one once', async ({
  context,
  careless,
  careful,
}) => {
  for (const [shop, charges] of [
    [careless, 2],
    [careful, 1],
  ] as const) {
    const tabs = await twoTabs(context, shop.url);
    await shareKey(tabs);
    const during = async () => {
      await Promise.all(tabs.map((tab) => payIn(tab).click()));
      await Promise.all(tabs.map((tab) => says(tab, 'Paid')));
    };
    expect((await countCharges({ context, ...shop, during })).charges).toBe(charges);
  }
});

/** Two tabs that look for a key in the same moment may make two, as no storage has a lock: here they have one before. */
async function shareKey([one, other]: [Page, Page]): Promise<void> {
  await one.evaluate(() => localStorage.setItem('key', 'of both tabs'));
  await expect.poll(() => other.evaluate(() => localStorage.getItem('key'))).toBe('of both tabs');
}

test('A shop that pays by itself when the network is back is found out', async ({
  context,
  page,
  careless,
  careful,
}) => {
  for (const [shop, charges, atLast] of [
    [careless, 1, 'Paid'],
    [careful, 0, 'You are offline.'],
  ] as const) {
    await page.goto(shop.url);
    const during = async () => {
      const comeBack = await goOffline(page);
      await payIn(page).click();
      await says(page, 'You are offline.');
      await comeBack();
      await says(page, atLast);
    };
    expect(await countCharges({ context, ...shop, during })).toEqual({ charges, requests: charges });
  }
});

test('Cleared storage takes even the key of a careful page', async ({ page, careful }) => {
  await page.goto(careful.url);
  await payIn(page).click();
  await says(page, 'Paid');
  await breakStorage(page, 'cleared');
  await page.reload();
  await payIn(page).click();
  await says(page, 'Paid');
  expect(await careful.readCharges()).toBe(2);
});

for (const [how, faultOnPress] of [
  ['throws', 'SecurityError'],
  ['full', 'QuotaExceededError'],
] as const) {
  test(`A page that trusts the storage breaks when it ${how === 'full' ? 'is full' : how}`, async ({
    page,
    careful,
  }) => {
    await breakStorage(page, how);
    await page.goto(careful.url);
    const fault = page.waitForEvent('pageerror');
    await payIn(page).click();
    expect((await fault).name).toBe(faultOnPress);
    expect(await careful.readCharges()).toBe(0);
  });
}
