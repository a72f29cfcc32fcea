import { type ReactNode, useEffect, useRef } from 'react';
import { CheckIcon, ClockIcon, InfoIcon, OfflineIcon } from './icons';

/** `waiting` is for what nobody can tell yet: amber with a clock, never the colour or the words of a failure. */
export type NoticeTone = 'done' | 'waiting' | 'refused' | 'calm' | 'offline';

const looks: Record<NoticeTone, { className: string; icon: ReactNode }> = {
  done: { className: 'border-accent bg-accent-wash text-accent', icon: <CheckIcon /> },
  waiting: { className: 'border-waiting-edge bg-waiting-wash text-waiting', icon: <ClockIcon /> },
  refused: { className: 'border-refused-edge bg-refused-wash text-refused', icon: <InfoIcon /> },
  calm: { className: 'border-line bg-surface text-ink', icon: <InfoIcon /> },
  offline: { className: 'border-control bg-sunken text-ink', icon: <OfflineIcon /> },
};

interface NoticeProps {
  tone: NoticeTone;
  /** The first line: what happened. */
  title: string;
  /** The second line: how often, and what to do now. */
  hint?: string;
  /** Takes the focus when it appears, so that it is read out and Tab goes on from here. */
  takesFocus?: boolean;
  children?: ReactNode;
}

/** A part of the page that tells an outcome; it stays until the outcome changes. */
export function Notice({ tone, title, hint, takesFocus = false, children }: NoticeProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [takesFocus]);

  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={title}
      data-tone={tone}
      className={`grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2 rounded-ticket border p-4 sm:p-5 ${looks[tone].className}`}
    >
      <span className="grid size-9 place-items-center self-start rounded-full border">
        {looks[tone].icon}
      </span>
      <p className="font-semibold sm:text-lg">{title}</p>
      {/* Below the sign where the screen is narrow, beside it where there is room. */}
      <div className="col-span-2 grid justify-items-start gap-3 text-ink empty:hidden sm:col-span-1 sm:col-start-2">
        {hint && <p>{hint}</p>}
        {children}
      </div>
    </section>
  );
}
