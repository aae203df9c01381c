import { say } from '../../scripts/command.ts'

/** How often something is measured, and how many animals stand for a million. */
export interface Effort {
  readonly rounds: number
  readonly million: number
}

/** Prints a row of a table of docs/capacity.md. */
export const sayRow = (...cells: readonly (string | number)[]): void => say(`| ${cells.join(' | ')} |`)

/** Two digits are all that a capacity is known to. */
export const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en')

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
