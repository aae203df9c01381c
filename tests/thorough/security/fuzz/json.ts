import fc from 'fast-check'

const words = (text: string): string[] => text.trim().split(/\s+/)

const EDGES = [
  ...words(`0 -0 1 -1 127 255 2147483647 2147483648 4294967296 9007199254740991 9007199254740992 9007199254740993
    9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615
    9223372036854775807.0 922337203685477580.7e1 1e18 9.3e18 1e19 1e308 1e309 -1e309 1e-400 3.0 3e0 30e-1 3.5 0.1e1 1E5 1e+5
    00 01 - +1 .5 5. 1e 0x10 1_000 NaN Infinity -Infinity 1n ١`),
  `1e${'9'.repeat(30)}`,
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(300)}1`,
]
const TEXTS = [
  ...words(String.raw`Rex available pending sold Available null 3 __proto__ constructor toString \u0000 \ud800 \udc00\ud800
    \ud83d\ude00 \u00 \x41 \ \n é 😀 {{7*7}} #{7*7} <script> ../../etc/passwd %00 %s%n`),
  ...[
    '',
    ' ',
    'e\u0301',
    '\u202e',
    '\ufeff',
    '\u2028',
    '\t',
    '\u00a0',
    "'; DROP TABLE pets; --",
    '" OR ""="',
  ],
]
const FIELDS = [
  '',
  ...words(String.raw`name categoryId status id __proto__ constructor prototype toString NAME n\u0061me`),
]
const NO_VALUES = words('true false null undefined True nul // /**/1')

const one = (choices: readonly string[]) => fc.constantFrom(...choices)
const digits = (maxLength: number) => fc.string({ unit: one([...'0123456789']), minLength: 1, maxLength })
const some = (item: fc.Arbitrary<string>, maxLength: number, glue = '') =>
  fc.array(item, { maxLength }).map(items => items.join(glue))

/** Chosen by weight. */
export const weighted = <T>(...choices: (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

export const number = weighted(
  [6, one(EDGES)],
  [2, fc.nat(999).map(String)],
  [1, fc.tuple(one(['', '-']), digits(25)).map(parts => parts.join(''))],
  [
    1,
    fc
      .tuple(digits(20), digits(20), one(['', '-', '+']), digits(3))
      .map(([whole, fraction, sign, exponent]) => `${whole}.${fraction}e${sign}${exponent}`),
  ],
)

const text = weighted(
  [6, one(TEXTS).map(content => `"${content}"`)],
  [3, some(one(TEXTS), 12).map(content => `"${content}"`)],
  [
    1,
    fc
      .tuple(one(['x', 'é', '😀', '\\u0041']), fc.integer({ min: 250, max: 259 }))
      .map(([unit, count]) => `"${unit.repeat(count)}"`),
  ],
  [1, one(["'x'", '"x', 'x"', '"\t"', '"\u0001"', '"x\\"'])],
)

/** Nested brackets, closed or not. */
const nested = fc
  .tuple(
    fc.constantFrom(2, 50, 500, 5000, 20_000),
    fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const, ['[[],', ']'] as const),
    fc.nat(3),
  )
  .map(([depth, [open, close], cut]) => `${open.repeat(depth)}1${cut === 0 ? '' : close.repeat(depth)}`)

const { value, object } = fc.letrec<{ value: string; object: string }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: number },
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: one(NO_VALUES) },
    { weight: 1, arbitrary: nested },
    { weight: 1, arbitrary: some(tie('value'), 4, ',').map(items => `[${items}]`) },
    { weight: 1, arbitrary: tie('object') },
  ),
  object: some(
    fc.tuple(one(FIELDS), tie('value')).map(([name, content]) => `"${name}":${content}`),
    6,
    ',',
  ).map(fields => `{${fields}}`),
}))

const often = (usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>) => weighted([2, usual], [1, odd])

/** An animal with mostly valid fields, so that the invalid one decides. */
const nearlyPet = fc
  .record({
    space: one(['', '', ' ', '\n\t', '\u00a0', '\u000b']),
    name: often(
      fc.nat(999).map(n => `"animal ${n}"`),
      text,
    ),
    categoryId: often(fc.integer({ min: -10, max: 39 }).map(String), number),
    status: fc.option(often(one(['"available"', '"pending"', '"sold"']), value), { freq: 1, nil: undefined }),
    more: fc.option(fc.tuple(one(FIELDS), value), { freq: 1, nil: undefined }),
    missing: fc.nat(29),
    comma: fc.nat(19),
    isReversed: fc.boolean(),
  })
  .map(({ space, name, categoryId, status, more, missing, comma, isReversed }) => {
    const fields = [`"name":${space}${name}`, `"categoryId"${space}:${categoryId}`]
    if (status !== undefined) fields.push(`"status":${status}`)
    if (more !== undefined) fields.push(`"${more[0]}":${more[1]}`)
    if (missing < fields.length) fields.splice(missing, 1)
    if (isReversed) fields.reverse()
    return `${space}{${space}${fields.join(`${space},`)}${comma === 0 ? ',' : ''}}${space}`
  })

/** The text of a body: JSON or close to it. */
export const bodyText = weighted(
  [8, nearlyPet],
  [2, object],
  [2, value],
  [1, fc.constant('')],
  [1, fc.tuple(nearlyPet, nearlyPet).map(pets => pets.join(''))],
)
