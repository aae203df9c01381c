import { check } from './imports.mjs'

await check()
