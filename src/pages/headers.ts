const EVERY_FILE = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const EVERY_PAGE = {
  ...EVERY_FILE,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  // For browsers that do not know frame-ancestors.
  'X-Frame-Options': 'DENY',
}

type Policy = Readonly<Record<string, string>>

/** Forms are sent by code, never by the browser. */
const NEVER: Policy = {
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

const text = (policy: Policy): string =>
  Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ')

export const ASSET_HEADERS = { ...EVERY_FILE, 'Cache-Control': 'public, max-age=31536000, immutable' }

/** The console and the reference may only run and show what this origin serves. */
export const PAGE_HEADERS = {
  ...EVERY_PAGE,
  'Content-Security-Policy': text({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    ...NEVER,
    // Text can never become markup or code, whatever a name contains.
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
}

/** A page that is all in one file may have its own style, by its hash, and nothing else. */
export const notFoundHeaders = (style: string): Record<string, string> => ({
  ...EVERY_PAGE,
  'Cache-Control': 'no-store',
  Vary: 'Accept',
  'Content-Security-Policy': text({
    'default-src': "'none'",
    'style-src': `'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`,
    ...NEVER,
  }),
})
