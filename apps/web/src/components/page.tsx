import { type ReactNode, useEffect, useRef } from 'react';
import { NavigationType, useNavigationType } from 'react-router';

/** A page's frame. After a press of a link it starts at its heading; Back leaves the scrolling to the browser. */
export function Page({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const navigation = useNavigationType();

  useEffect(() => {
    document.title = `${title} · Pay Once`;
  }, [title]);

  useEffect(() => {
    if (navigation === NavigationType.Pop) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [navigation]);

  return (
    <div className="grid gap-6">
      <header className="grid gap-1">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className="text-lg text-soft">{lead}</p>}
      </header>
      {children}
    </div>
  );
}
