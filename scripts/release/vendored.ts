/** A library that is served from a file of ours instead of being installed: `npm run vendor:redoc`. */
export const REDOC = {
  name: 'redoc',
  version: '2.5.4',
  license: 'MIT',
  file: 'src/console/vendor/redoc.standalone.js',
} as const
