import { z } from 'zod';
import { TEST_CARDS } from './cards.js';
import { AMOUNT_MINOR_MAX, CURRENCY_EXPONENTS, type Currency } from './money.js';
import { problemCodes, retryVerdicts } from './problems.js';

/** An id that the server made or the client chose: a UUID in lower case, so that one id has one spelling. */
export const idSchema = z.uuid().toLowerCase();

const instantSchema = z.iso.datetime();
const currencySchema = z.enum(Object.keys(CURRENCY_EXPONENTS) as [Currency, ...Currency[]]);

/** An amount that moves: a whole number of minor units, at least 1. */
const amountMinorSchema = z.int().min(1).max(AMOUNT_MINOR_MAX);

/** An amount that is held, such as a balance: a whole number of minor units, 0 allowed. */
const heldMinorSchema = z.int().min(0).max(AMOUNT_MINOR_MAX);

const moneySchema = z.object({ amountMinor: amountMinorSchema, currency: currencySchema });
const heldMoneySchema = z.object({ amountMinor: heldMinorSchema, currency: currencySchema });

/** The most seats of one concert that a cart or an order may hold. */
export const QUANTITY_MAX = 10;

/** The most different concerts in one order. */
const ORDER_ITEMS_MAX = 10;

// Sandboxes. The token is in the first answer only; with `session: "cookie"` it goes into a cookie instead.

export const createSandboxSchema = z.strictObject({ session: z.enum(['token', 'cookie']).default('token') });

export const sandboxSchema = z.object({
  id: idSchema,
  token: z.string().optional(),
  balance: heldMoneySchema,
});
export type Sandbox = z.infer<typeof sandboxSchema>;

export const setBalanceSchema = z.strictObject({ amountMinor: heldMinorSchema });

// Catalogue and cart.

export const concertSchema = z.object({
  id: idSchema,
  title: z.string(),
  venue: z.string(),
  startsAt: instantSchema,
  ...moneySchema.shape,
  seatsLeft: z.int().min(0),
  likes: z.int().min(0),
  liked: z.boolean(),
});
export type Concert = z.infer<typeof concertSchema>;

export const concertsSchema = z.object({ concerts: z.array(concertSchema) });

export const cartItemSchema = z.object({
  concertId: idSchema,
  title: z.string(),
  quantity: z.int().min(1).max(QUANTITY_MAX),
  seatsLeft: z.int().min(0),
  ...moneySchema.shape,
});
export type CartItem = z.infer<typeof cartItemSchema>;

export const cartSchema = z.object({ items: z.array(cartItemSchema), ...heldMoneySchema.shape });
export type Cart = z.infer<typeof cartSchema>;

/** Sets the quantity, never adds to it; 0 takes the concert out of the cart. */
export const setCartItemSchema = z.strictObject({ quantity: z.int().min(0).max(QUANTITY_MAX) });

// Orders.

export const putOrderSchema = z.strictObject({
  items: z
    .array(z.strictObject({ concertId: idSchema, quantity: z.int().min(1).max(QUANTITY_MAX) }))
    .min(1)
    .max(ORDER_ITEMS_MAX)
    .refine((items) => new Set(items.map((item) => item.concertId)).size === items.length, {
      message: 'a concert may be named once',
    }),
});
export type PutOrder = z.infer<typeof putOrderSchema>;

export const orderItemSchema = z.object({
  concertId: idSchema,
  title: z.string(),
  quantity: z.int().min(1),
  ...moneySchema.shape,
});

// Payments.

export const paymentMethodSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('balance') }),
  // A card number is no card here: it is refused, and neither stored nor logged.
  z.strictObject({ type: z.literal('card'), card: z.enum(TEST_CARDS) }),
]);
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

/** `amountMinor` and `currency` must be what the order costs: a client says what it showed, it does not set it. */
export const createPaymentSchema = z.strictObject({
  amountMinor: amountMinorSchema,
  currency: currencySchema,
  method: paymentMethodSchema,
});
export type CreatePayment = z.infer<typeof createPaymentSchema>;

export const paymentStatuses = ['processing', 'succeeded', 'declined', 'needs_review'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const paymentSchema = z.object({
  id: idSchema,
  orderId: idSchema,
  status: z.enum(paymentStatuses),
  ...moneySchema.shape,
  method: paymentMethodSchema,
  createdAt: instantSchema,
});
export type Payment = z.infer<typeof paymentSchema>;

// Refunds.

/**
 * `refundedMinor`: what had been given back or set aside of the payment when this refund was decided on. When it is said
 * and another refund has come between, this one is refused: two decisions on one sight give back once.
 */
export const createRefundSchema = z.strictObject({
  amountMinor: amountMinorSchema,
  refundedMinor: heldMinorSchema.optional(),
});
export type CreateRefund = z.infer<typeof createRefundSchema>;

export const refundSchema = z.object({
  id: idSchema,
  paymentId: idSchema,
  status: z.enum(paymentStatuses),
  ...moneySchema.shape,
  createdAt: instantSchema,
});
export type Refund = z.infer<typeof refundSchema>;

/** One a paid order, for all its seats. */
export const ticketSchema = z.object({ id: idSchema, issuedAt: instantSchema });

export const orderStatuses = ['unpaid', 'paying', 'paid'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const orderSchema = z.object({
  id: idSchema,
  number: z.string(),
  status: z.enum(orderStatuses),
  ...moneySchema.shape,
  createdAt: instantSchema,
  items: z.array(orderItemSchema),
  payments: z.array(paymentSchema),
  refunds: z.array(refundSchema),
  tickets: z.array(ticketSchema),
});
export type Order = z.infer<typeof orderSchema>;

export const ordersSchema = z.object({ orders: z.array(orderSchema) });

// Messages of the contact form.

export const createMessageSchema = z.strictObject({
  name: z.string().trim().min(1).max(100),
  email: z.email().max(254),
  text: z.string().trim().min(1).max(5_000),
});
export type CreateMessage = z.infer<typeof createMessageSchema>;

export const messageSchema = z.object({ id: idSchema, createdAt: instantSchema });
export type Message = z.infer<typeof messageSchema>;

// What the shop and the card network say to each other.

/** One thing that the card network did, under the reference that its caller chose. */
export const cardOperationSchema = z.object({
  reference: idSchema,
  kind: z.enum(['authorisation', 'refund']),
  status: z.enum(['approved', 'declined']),
  ...moneySchema.shape,
});
export type CardOperation = z.infer<typeof cardOperationSchema>;

export const authoriseSchema = z.strictObject({
  reference: idSchema,
  card: z.enum(TEST_CARDS),
  ...moneySchema.shape,
});

/** Gives back a part or all of what the authorisation of that reference took. */
export const cardRefundSchema = z.strictObject({
  reference: idSchema,
  authorisation: idSchema,
  ...moneySchema.shape,
});

/** The network's record, in the order in which things were done; `sequence` is where to go on reading. */
export const cardOperationsSchema = z.object({
  operations: z.array(
    cardOperationSchema.extend({
      sequence: z.int(),
      authorisation: idSchema.nullable(),
      createdAt: instantSchema,
    }),
  ),
});
export type CardOperations = z.infer<typeof cardOperationsSchema>;

/** A mail that the provider is asked to send. */
export const mailSchema = z.strictObject({
  to: z.email().max(254),
  subject: z.string().min(1).max(200),
  text: z.string().min(1).max(20_000),
});
export type Mail = z.infer<typeof mailSchema>;

// The proof of effects.

const tallySchema = z.object({ count: z.int().min(0), amountMinor: z.int().min(0) });

/** What the ledger says happened in this sandbox. A charge is a ledger entry, not a count of requests. */
export const summarySchema = z.object({
  charges: tallySchema,
  refunds: tallySchema,
  tickets: z.object({ count: z.int().min(0) }),
});
export type Summary = z.infer<typeof summarySchema>;

// Problems.

/** The body of every error, after RFC 9457, as `application/problem+json`. `type` is a page that explains it. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(problemCodes),
  retry: z.enum(retryVerdicts),
  requestId: z.string(),
  /** Set by `order_already_paid`: the payment that paid the order. */
  paymentId: z.uuid().optional(),
});
export type Problem = z.infer<typeof problemSchema>;
