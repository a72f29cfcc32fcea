import type helmet from '@fastify/helmet';

const CONTENT_SECURITY_POLICY = {
  'default-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/** Not `no-referrer`: with it browsers send `Origin: null` with our own form, and it could not be told from others'. */
const REFERRER_POLICY = 'same-origin';

export const HELMET: Parameters<typeof helmet>[1] = {
  contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
  referrerPolicy: { policy: REFERRER_POLICY },
  // The shop also runs on plain http in a classroom, where these only print warnings.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  hsts: false,
};

/** What Helmet sends with these settings, for a page that is sent before any plugin sees the request. */
export function securityHeaders(): Record<string, string> {
  const directives = Object.entries(CONTENT_SECURITY_POLICY);
  return {
    'content-security-policy': directives.map(([name, values]) => `${name} ${values.join(' ')}`).join(';'),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': REFERRER_POLICY,
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}
