import { buildPages } from './build/pages.ts'

/** `npm start` and `npm run dev`: the program from its sources, with pages as they were last edited. */
await buildPages()
await import('../src/main.ts')
