import { wait } from './wait.js';

/** Asks until it is told to stop. */
export interface AskLoop {
  /** Asks at once, and again with growing pauses. An ask that is under way is dropped: its answer is older. */
  start(): void;
  stop(): void;
}

const ASK_BASE_DELAY_MS = 1_000;
/** A person who waits should not look at an old state for longer. */
const ASK_CAP_DELAY_MS = 10_000;
/** About ten minutes. After that only an event on the page starts it again. */
const ASKS_MAX = 60;

/**
 * `onAnswer` gets what `ask` resolved to, or `null` when it rejected or gave no answer within `timeoutMs`, and says
 * whether to go on.
 */
export function createAskLoop<TAnswer>(options: {
  ask: (signal: AbortSignal) => Promise<TAnswer>;
  onAnswer: (answer: TAnswer | null) => 'again' | 'done';
  timeoutMs: number;
}): AskLoop {
  let current = new AbortController();

  async function run(signal: AbortSignal): Promise<void> {
    for (let n = 0; n < ASKS_MAX; n += 1) {
      const answer = await askOnce(signal);
      if (signal.aborted || options.onAnswer(answer) === 'done') return;
      // Between half and all of it, so that pages that lost the same server do not ask in step.
      const delayMs = Math.min(ASK_CAP_DELAY_MS, ASK_BASE_DELAY_MS * 2 ** n) * (0.5 + Math.random() / 2);
      await wait(delayMs, signal);
      if (signal.aborted) return;
    }
  }

  async function askOnce(stopped: AbortSignal): Promise<TAnswer | null> {
    const controller = new AbortController();
    const abort = () => controller.abort();
    stopped.addEventListener('abort', abort);
    const outOfTime = wait(options.timeoutMs, controller.signal).then(() => null);
    try {
      return await Promise.race([options.ask(controller.signal), outOfTime]);
    } catch {
      return null;
    } finally {
      abort();
      stopped.removeEventListener('abort', abort);
    }
  }

  return {
    start() {
      current.abort();
      current = new AbortController();
      void run(current.signal);
    },
    stop() {
      current.abort();
    },
  };
}
