import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
// The server may have filled it for a browser without JavaScript; React draws in its place.
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
