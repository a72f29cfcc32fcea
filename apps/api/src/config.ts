import { z } from 'zod';

const variablesSchema = z.object({
  /** Where Postgres is, as the role that runs: it has no DDL and cannot change ledger entries. */
  DATABASE_URL: z.url(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** Where a worker serves its metrics. Without it a worker listens nowhere. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** The folder of the built web app. Without it the API serves no pages. */
  WEB_DIST: z.string().optional(),
  /** Connections per process. Small on purpose: nobody waits while holding one. */
  POOL_MAX: z.coerce.number().int().min(1).default(10),
  /** How long a connection to Postgres may be silent before it is given up. Longer than any statement may run. */
  DATABASE_SILENCE_MS: z.coerce.number().int().min(1).default(20_000),
  /** How long a completed idempotency record is kept. */
  RETENTION_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(24 * 60 * 60 * 1000),
  /** How long whoever works on a payment may be silent before another takes it over. */
  LEASE_MS: z.coerce.number().int().min(1).default(15_000),
  /** Requests of one sandbox in 5 seconds. */
  SANDBOX_REQUESTS_MAX: z.coerce.number().int().min(1).default(300),
  /** New sandboxes from one address in 10 seconds. */
  ADDRESS_SANDBOXES_MAX: z.coerce.number().int().min(1).default(100),
  /** Requests from one address in 5 seconds that bring no token, or one that was not known before. */
  ADDRESS_UNKNOWN_REQUESTS_MAX: z.coerce.number().int().min(1).default(1_000),
  /** How long a body may be. */
  BODY_BYTES_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(32 * 1024),
  /** How deep arrays and objects may be nested in a body. The parser recurses, so no stack takes any depth. */
  BODY_DEPTH_MAX: z.coerce.number().int().min(1).max(100).default(10),
  /** How long the first line and the headers of a request may be together. */
  HEADER_BYTES_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(16 * 1024),
  /** How long a client may take over the headers of a request. */
  HEADERS_TIMEOUT_MS: z.coerce.number().int().min(1).default(10_000),
  /** How long it may take over the whole of it. */
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(1).default(15_000),
  /** Origins other than our own whose pages may call the API, separated by commas. They need a bearer token. */
  WEB_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter((origin) => origin !== '')),
  /** Where the card network is. */
  CARD_NETWORK_URL: z.url().default('http://127.0.0.1:3100'),
  /** How long the card network's answer is awaited. Shorter than LEASE_MS, or another asks meanwhile. */
  CARD_NETWORK_TIMEOUT_MS: z.coerce.number().int().min(1).default(10_000),
  /** How long the card network remembers a key, as it says itself. After that a payment is only looked up. */
  CARD_NETWORK_MEMORY_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(24 * 60 * 60 * 1000),
  /** How long look-ups go on after that, before a person is asked. */
  CARD_NETWORK_PATIENCE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(60 * 60 * 1000),
  /** How long after one comparison of the card network's record with ours the next begins. */
  RECONCILIATION_PAUSE_MS: z.coerce.number().int().min(1).default(60_000),
  /** Where the mail provider is. Unless it is named, the card network's process plays it, too. */
  MAIL_PROVIDER_URL: z.url().optional(),
  /** How long the mail provider's answer is awaited. Shorter than JOB_LEASE_SECONDS, or another worker asks meanwhile. */
  MAIL_TIMEOUT_MS: z.coerce.number().int().min(1).default(3_000),
  /** Who gets the messages of the contact form. */
  CONTACT_ADDRESS: z.email().default('contact@pay-once.invalid'),
  /** How often a job is tried before it is parked. With the delays below, twelve tries take about an hour. */
  JOB_TRIES_MAX: z.coerce.number().int().min(1).default(12),
  /** The pause after a job's first failed try; it doubles with every further one. */
  JOB_RETRY_DELAY_SECONDS: z.coerce.number().int().min(1).default(1),
  /** How long a worker may be silent about a job before another gets it. */
  JOB_LEASE_SECONDS: z.coerce.number().int().min(1).default(5),
  /** How long a processed job is remembered, so that a late second delivery is known. */
  PROCESSED_JOBS_KEPT_DAYS: z.coerce.number().int().min(1).default(30),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

type Variables = z.infer<typeof variablesSchema>;

/** Of each pair, the first must be shorter: or the second would never be reached, or be over too early. */
const SHORTER: [keyof Variables, keyof Variables, factor: number][] = [
  ['HEADERS_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS', 1],
  ['CARD_NETWORK_TIMEOUT_MS', 'LEASE_MS', 1],
  ['MAIL_TIMEOUT_MS', 'JOB_LEASE_SECONDS', 1000],
];

const configSchema = variablesSchema.superRefine((config, context) => {
  for (const [shorter, longer, factor] of SHORTER) {
    if (Number(config[shorter]) < Number(config[longer]) * factor) continue;
    context.addIssue({ code: 'custom', path: [shorter], message: `is not shorter than ${longer}` });
  }
});

export type Config = z.infer<typeof configSchema>;

/** Reads the environment; an empty variable is one that was not set. Throws one sentence that names every variable that is missing or wrong. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const set = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = configSchema.safeParse(Object.fromEntries(set));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The environment is not valid. ${faults.join('; ')}`);
}
