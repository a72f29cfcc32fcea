import type { CreateMessage } from '@pay-once/contracts';

/** The fields of the form, in the order in which they stand. */
export const fields = ['name', 'email', 'text'] as const;
export type Field = (typeof fields)[number];

/** The longest that each may be, as the server has it. */
export const lengthMax: Record<Field, number> = { name: 100, email: 254, text: 5_000 };

/** As strict as the server: what passes here must not be refused there. */
const emailPattern = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@([a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i;

/** Which fields cannot be sent as they are. */
export function faultsOf(message: CreateMessage): Set<Field> {
  return new Set(
    fields.filter((field) => {
      const value = message[field].trim();
      return field === 'email' ? !emailPattern.test(message.email) : value === '';
    }),
  );
}
