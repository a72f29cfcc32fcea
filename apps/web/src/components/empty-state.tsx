import type { ReactNode } from 'react';
import { TicketOutline } from './icons';

interface EmptyStateProps {
  title: string;
  hint: string;
  /** The way on from here. */
  children?: ReactNode;
}

/** Stands where things will be, once there are some. */
export function EmptyState({ title, hint, children }: EmptyStateProps) {
  return (
    <section
      aria-label={title}
      className="ticket grid justify-items-center gap-2 px-5 py-10 text-center sm:py-14"
    >
      <TicketOutline />
      <p className="mt-3 text-lg font-semibold">{title}</p>
      <p className="text-soft">{hint}</p>
      {children && <div className="mt-3">{children}</div>}
    </section>
  );
}
