import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, useEffect } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { createQueryClient } from './api/query-client';
import { NotFoundPage } from './components/not-found-page';
import { LanguageProvider } from './language/language';
// Not on demand like the others: a receipt must come up even when the network is gone after paying.
import { OrderPage } from './orders/order-page';
import { Shell } from './shell/shell';

const CataloguePage = lazy(() =>
  import('./catalog/catalogue-page').then((m) => ({ default: m.CataloguePage })),
);
const CartPage = lazy(() => import('./cart/cart-page').then((m) => ({ default: m.CartPage })));
const CheckoutPage = lazy(() =>
  import('./checkout/checkout-page').then((m) => ({ default: m.CheckoutPage })),
);
const ContactPage = lazy(() => import('./contact/contact-page').then((m) => ({ default: m.ContactPage })));
const OrdersPage = lazy(() => import('./orders/orders-page').then((m) => ({ default: m.OrdersPage })));

const TimelinePage = lazy(() =>
  import('./timeline/timeline-page').then((m) => ({ default: m.TimelinePage })),
);

const queryClient = createQueryClient();

export function App() {
  useEffect(() => {
    // The back/forward cache brings a page back as it was left: all it shows may be old.
    function onPageShow(event: PageTransitionEvent) {
      if (event.persisted) void queryClient.invalidateQueries();
    }
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);

  return (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider>
        <BrowserRouter>
          <Routes>
            <Route element={<Shell />}>
              <Route index element={<CataloguePage />} />
              <Route path="cart" element={<CartPage />} />
              <Route path="checkout/:orderId" element={<CheckoutPage />} />
              <Route path="orders" element={<OrdersPage />} />
              <Route path="orders/:orderId" element={<OrderPage />} />
              <Route path="orders/:orderId/timeline" element={<TimelinePage />} />
              <Route path="contact" element={<ContactPage />} />
              <Route path="*" element={<NotFoundPage />} />
            </Route>
          </Routes>
        </BrowserRouter>
      </LanguageProvider>
    </QueryClientProvider>
  );
}
