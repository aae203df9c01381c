import { check } from './imports.mjs'

export default { test: check }
