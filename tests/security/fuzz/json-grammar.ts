import { type Below, digits, pick, several, weighted } from './choice.ts'

const EDGES = [
  '0',
  '-0',
  '1',
  '-1',
  '127',
  '255',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '18446744073709551615',
  '9223372036854775807.0',
  '922337203685477580.7e1',
  '1e18',
  '9.3e18',
  '1e19',
  '1e308',
  '1e309',
  '-1e309',
  '1e-400',
  '3.0',
  '3e0',
  '30e-1',
  '3.5',
  '0.1e1',
  '1E5',
  '1e+5',
  '00',
  '01',
  '-',
  '+1',
  '.5',
  '5.',
  '1e',
  '0x10',
  '1_000',
  'NaN',
  'Infinity',
  '-Infinity',
  '1n',
  '١',
  `1e${'9'.repeat(30)}`,
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(300)}1`,
]

const TEXTS = [
  '',
  ' ',
  'Rex',
  'available',
  'pending',
  'sold',
  'Available',
  'null',
  '3',
  '__proto__',
  'constructor',
  'toString',
  '\\u0000',
  '\\ud800',
  '\\udc00\\ud800',
  '\\ud83d\\ude00',
  '\\u00',
  '\\x41',
  '\\',
  '\\n',
  'é',
  'e\u0301',
  '😀',
  '\u202e',
  '\ufeff',
  '\u2028',
  "'; DROP TABLE pets; --",
  '" OR ""="',
  '#{7*7}',
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  '%00',
  '%s%n',
  '\t',
  '\u00a0',
]

const FIELDS = [
  'name',
  'categoryId',
  'status',
  'id',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'NAME',
  '',
  'n\\u0061me',
]

export const number = (below: Below): string =>
  weighted(below, [
    [6, () => pick(below, EDGES)],
    [2, () => String(below(1000))],
    [1, () => `${pick(below, ['', '-'])}${digits(below, 25)}`],
    [1, () => `${digits(below, 20)}.${digits(below, 20)}e${pick(below, ['', '-', '+'])}${digits(below, 3)}`],
  ])

export const text = (below: Below): string =>
  weighted(below, [
    [6, () => `"${pick(below, TEXTS)}"`],
    [3, () => `"${several(below, 12, () => pick(below, TEXTS)).join('')}"`],
    [1, () => `"${pick(below, ['x', 'é', '😀', '\\u0041']).repeat(250 + below(10))}"`],
    [1, () => pick(below, ["'x'", '"x', 'x"', '"\t"', '"\u0001"', '"x\\"'])],
  ])

export const value = (below: Below, depth = 0): string =>
  weighted(below, [
    [4, () => number(below)],
    [4, () => text(below)],
    [2, () => pick(below, ['true', 'false', 'null', 'undefined', 'True', 'nul', '//', '/**/1'])],
    [depth < 3 ? 1 : 0, () => `[${several(below, 4, () => value(below, depth + 1)).join(',')}]`],
    [depth < 3 ? 1 : 0, () => object(below, depth + 1)],
    [1, () => nested(below)],
  ])

function nested(below: Below): string {
  const depth = pick(below, [2, 50, 500, 5000, 20_000])
  const [open, close] = pick(below, [
    ['[', ']'],
    ['{"a":', '}'],
    ['[[],', ']'],
  ] as const)
  return `${open.repeat(depth)}1${below(4) === 0 ? '' : close.repeat(depth)}`
}

function object(below: Below, depth: number): string {
  const fields = several(below, 6, () => `"${pick(below, FIELDS)}":${value(below, depth + 1)}`)
  return `{${fields.join(',')}}`
}

/** An animal that is right in most fields, so that the wrong one is what decides. */
const nearlyPet = (below: Below): string => {
  const space = pick(below, ['', '', ' ', '\n\t', '\u00a0', '\u000b'])
  const name = below(3) === 0 ? text(below) : `"animal ${below(1000)}"`
  const categoryId = below(3) === 0 ? number(below) : String(below(50) - 10)
  const fields = [`"name":${space}${name}`, `"categoryId"${space}:${categoryId}`]
  if (below(2) === 0)
    fields.push(
      `"status":${below(3) === 0 ? value(below, 2) : `"${pick(below, ['available', 'pending', 'sold'])}"`}`,
    )
  if (below(6) === 0) fields.push(`"${pick(below, FIELDS)}":${value(below, 2)}`)
  if (below(10) === 0) fields.splice(below(fields.length), 1)
  if (below(4) === 0) fields.reverse()
  return `${space}{${space}${fields.join(`${space},`)}${below(20) === 0 ? ',' : ''}}${space}`
}

/** The text of a body, JSON or nearly. */
export const bodyText = (below: Below): string =>
  weighted(below, [
    [8, () => nearlyPet(below)],
    [2, () => object(below, 0)],
    [2, () => value(below)],
    [1, () => ''],
    [1, () => `${nearlyPet(below)}${nearlyPet(below)}`],
  ])
