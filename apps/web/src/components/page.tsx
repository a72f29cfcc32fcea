import { type ReactNode, useEffect, useRef } from 'react';
import { NavigationType, useNavigationType } from 'react-router';

interface PageProps {
  title: string;
  lead?: string;
  /** `column`: one thing below the other, as wide as can be read well. */
  width?: 'wide' | 'column';
  children: ReactNode;
}

/** A page's frame. After a press of a link it starts at its heading; Back leaves the scrolling to the browser. */
export function Page({ title, lead, width = 'wide', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const navigation = useNavigationType();
  const lastWordAt = title.lastIndexOf(' ') + 1;

  useEffect(() => {
    document.title = `${title} · Pay Once`;
  }, [title]);

  useEffect(() => {
    if (navigation === NavigationType.Pop) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [navigation]);

  return (
    <div className={`grid w-full gap-6 ${width === 'column' ? 'mx-auto max-w-2xl' : ''}`}>
      <header className="grid gap-2">
        <h1 ref={heading} tabIndex={-1}>
          {/* The last word may be an order's number: it goes to a line of its own before it breaks. */}
          {title.slice(0, lastWordAt)}
          <span className="inline-block max-w-full">{title.slice(lastWordAt)}</span>
        </h1>
        {lead && <p className="text-lg text-soft">{lead}</p>}
      </header>
      {children}
    </div>
  );
}
