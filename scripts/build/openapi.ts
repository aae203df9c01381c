import { join } from 'node:path'
import { openApi } from '../../src/contract/openapi.ts'
import { argumentsOf, ROOT } from '../command.ts'
import { clientContract } from './client-contract.ts'

const LINE_LENGTH = 110

/** The text of openapi.json: what fits in a line takes one, as a person would write it. */
export const openApiText = (): string => `${laidOut(openApi(), '')}\n`

function laidOut(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_LENGTH) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map(item => laidOut(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${laidOut(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

if (import.meta.main) {
  argumentsOf("npm run openapi: writes openapi.json and the client's contract", {})
  await Bun.write(join(ROOT, 'openapi.json'), openApiText())
  await Bun.write(join(ROOT, 'client/src/contract.generated.ts'), clientContract())
}
