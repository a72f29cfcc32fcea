import { z } from 'zod';

const configSchema = z.object({
  /** Where Postgres is, as the role that runs: it can add to the record and not change it. */
  DATABASE_URL: z.url(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3100),
  HOST: z.string().default('127.0.0.1'),
  POOL_MAX: z.coerce.number().int().min(1).default(10),
  /** How long a key is remembered. May be shorter than the shop remembers its own. */
  RETENTION_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(24 * 60 * 60 * 1000),
  /** Whether faults can be armed and keys be forgotten over HTTP. Whoever reaches the port could do it. */
  ADMIN: z.enum(['on', 'off']).default('off'),
  /** In place of the delay that each fault has of its own. */
  FAULT_DELAY_MS: z.coerce.number().int().min(0).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
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
