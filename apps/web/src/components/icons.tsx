import type { ReactNode } from 'react';

/** Drawn on a grid of 24; says nothing to a screen reader, so a text must stand beside it. */
function Icon({ children, size = 20 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className="shrink-0"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

export function ClockIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5l3.5 2" />
    </Icon>
  );
}

export function CheckIcon() {
  return (
    <Icon>
      <path d="m5 12.5 4.5 4.5L19 7" />
    </Icon>
  );
}

export function InfoIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11v5M12 8v.01" />
    </Icon>
  );
}

export function OfflineIcon() {
  return (
    <Icon>
      <path d="M4 4l16 16M8.5 15.5a5 5 0 0 1 5-1.2M5 12a10 10 0 0 1 4.5-2.6M14 9.1A10 10 0 0 1 19 12M12 19v.01" />
    </Icon>
  );
}

export function HeartIcon({ filled }: { filled: boolean }) {
  return (
    <Icon>
      <path
        fill={filled ? 'currentColor' : 'none'}
        d="M12 20s-7.5-4.6-7.5-10A4.2 4.2 0 0 1 12 7.4 4.2 4.2 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10z"
      />
    </Icon>
  );
}

export function PrintIcon() {
  return (
    <Icon>
      <path d="M7 9V4h10v5M7 18H4v-7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v7h-3M7 14h10v6H7z" />
    </Icon>
  );
}

export function PlusIcon() {
  return (
    <Icon>
      <path d="M12 6v12M6 12h12" />
    </Icon>
  );
}

export function MinusIcon() {
  return (
    <Icon>
      <path d="M6 12h12" />
    </Icon>
  );
}

export function TicketMark() {
  return (
    <svg aria-hidden="true" focusable="false" viewBox="0 0 32 32" width="28" height="28" className="shrink-0">
      <path
        className="fill-accent"
        d="M3 9a3 3 0 0 1 3-3h20a3 3 0 0 1 3 3v4a3 3 0 0 0 0 6v4a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-4a3 3 0 0 0 0-6z"
      />
      <path
        className="stroke-accent-ink"
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m10.5 16.5 4 4 7.5-9"
      />
    </svg>
  );
}

/** A ticket that nothing is printed on yet. */
export function TicketOutline() {
  return (
    <svg aria-hidden="true" focusable="false" viewBox="0 0 144 80" width="144" height="80" fill="none">
      <path
        className="fill-accent-wash stroke-accent"
        strokeWidth="2"
        d="M12 18a8 8 0 0 1 8-8h104a8 8 0 0 1 8 8v12a10 10 0 0 0 0 20v12a8 8 0 0 1-8 8H20a8 8 0 0 1-8-8V50a10 10 0 0 0 0-20z"
        transform="rotate(-4 72 40)"
      />
      <path
        className="stroke-accent"
        strokeWidth="2"
        strokeLinecap="round"
        d="M98 18v44"
        strokeDasharray="0.1 6"
        transform="rotate(-4 72 40)"
      />
      <path
        className="stroke-accent"
        strokeWidth="3"
        strokeLinecap="round"
        d="M34 32h40M34 44h26"
        opacity="0.45"
        transform="rotate(-4 72 40)"
      />
    </svg>
  );
}
