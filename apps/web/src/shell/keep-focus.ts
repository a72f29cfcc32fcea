/**
 * When what has the focus goes away, the browser gives the focus to nothing, and Tab begins at the top of the page. Here
 * the nearest part around it that is left gets it. A page that knows a better place takes it from there. Returns the
 * function that ends it.
 */
export function keepFocus(): () => void {
  let around: Element[] = [];
  const remember = ({ target }: FocusEvent) => {
    around = target instanceof Element ? [target, ...ancestorsOf(target)] : [];
  };
  const observer = new MutationObserver(() => {
    if (document.activeElement !== document.body || around[0]?.isConnected !== false) return;
    const left = around.find((element) => element.isConnected);
    if (!(left instanceof HTMLElement) || left === document.body) return;
    if (!left.hasAttribute('tabindex')) left.tabIndex = -1;
    left.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}

function ancestorsOf(element: Element): Element[] {
  const above = element.parentElement;
  return above === null || above === document.body ? [] : [above, ...ancestorsOf(above)];
}
