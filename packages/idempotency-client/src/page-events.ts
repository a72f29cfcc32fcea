/**
 * Calls the listener whenever what the page shows may be out of date: the network is back, the page is looked at
 * again, or it comes out of the back/forward cache. Returns the function that ends it.
 */
export function onPageReturn(listener: () => void): () => void {
  if (typeof window === 'undefined') return () => {};
  const onVisible = () => {
    if (document.visibilityState === 'visible') listener();
  };
  // The first `pageshow` of a page belongs to its load: only a page from the cache has an old state.
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) listener();
  };
  window.addEventListener('online', listener);
  window.addEventListener('focus', listener);
  window.addEventListener('pageshow', onPageShow);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('focus', listener);
    window.removeEventListener('pageshow', onPageShow);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
