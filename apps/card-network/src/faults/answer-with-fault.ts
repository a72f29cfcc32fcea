import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { type GoodAnswer, problemAnswer } from '../good-answer.js';
import type { Effect, Fault } from './fault-table.js';
import { REPLY_FORMS } from './reply-forms.js';

/** How something that is done is done. */
export type Applied = Exclude<Effect, 'nothing' | 'applied_later'>;

/** Does what the fault lets be done, and answers as the fault lets be answered. */
export async function answerWithFault(
  reply: FastifyReply,
  fault: Fault,
  apply: (how: Applied) => Promise<GoodAnswer>,
): Promise<void> {
  if (fault.word !== 'none') reply.log.info({ fault: fault.word }, 'misbehaves');
  await REPLY_FORMS[fault.reply](reply, await takeEffect(fault, apply, reply.log), fault.delayMs);
}

async function takeEffect(
  { effect, delayMs }: Fault,
  apply: (how: Applied) => Promise<GoodAnswer>,
  log: FastifyBaseLogger,
): Promise<GoodAnswer> {
  switch (effect) {
    case 'nothing':
      break;
    case 'applied_later':
      setTimeout(() => {
        // Asked again meanwhile, it may be done already or just now; then this comes to nothing, as it should.
        apply('applied').catch((error: unknown) => log.warn(`Not applied later. ${String(error)}`));
      }, delayMs).unref();
      break;
    default:
      return apply(effect);
  }
  return problemAnswer(503, 'Nothing was done.');
}
