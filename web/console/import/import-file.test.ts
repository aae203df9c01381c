import { expect, spyOn, test } from 'bun:test'
import { importFile } from './import-file.ts'

const read = (text: string, answers: Readonly<Record<string, string>> = {}) =>
  importFile(
    {
      bytes: new TextEncoder().encode(text),
      name: 'chosen',
      chosenAt: 0,
      answers: new Map(Object.entries(answers)),
      asked: new Set(),
    },
    { 7: 'Dogs', 12: 'Cats', 13: 'cats' },
  )

test('a chosen file yields its animals, and says by line what is wrong with the others, all at once', () => {
  const { good, bad } = read('name,categoryId,status\nRex,7,sold\n ,dog,lost\nMia,7\nBo,3,\n')
  expect(good).toMatchObject([
    { line: 2, pet: { name: 'Rex', categoryId: 7n, status: 'sold' }, occurrence: 1 },
    { line: 5, pet: { name: 'Bo', categoryId: 3n, status: 'available' }, occurrence: 1 },
  ])
  expect(bad).toMatchObject([
    {
      line: 3,
      text: ' ,dog,lost',
      problem:
        'Name: Enter a name. Category: Enter a whole number, such as 7, or a name you gave to one category. Status: use one of available, pending, sold.',
    },
    { line: 4, problem: 'it has 2 fields; the first line has 3' },
  ])
})

test.each([
  'name,categoryId\nRex,9223372036854775808',
  '{"name":"Rex","categoryId":9223372036854775808}',
  '{"name":"Rex","categoryId":-1e30}',
  '{"name":"Rex","categoryId":1e400}',
])('a number that is too large is told from text: %s', text => {
  const range = 'from -9223372036854775808 to 9223372036854775807'
  expect(read(text).bad.map(({ problem }) => problem)).toEqual([`Category: Enter a whole number ${range}.`])
})

test('a number with an exponent says what to do, and is no category name', () => {
  const { bad, unnumbered } = read('name;category\nRex;1E+05\nMia;"9,0072E+15"\nBo;-2e7\nTom;Newts\n')
  const advised = bad.filter(({ problem }) =>
    problem.includes('Format the column as a number without exponent'),
  )
  expect(advised.map(({ line }) => line)).toEqual([2, 3, 4])
  expect(unnumbered.map(({ name }) => name)).toEqual(['Newts'])
})

test('NDJSON is exact to the last digit, and text is no number', () => {
  const { good, bad } = read(
    '{"name":"Rex","categoryId":9007199254740993}\n{"name":1,"categoryId":"7"}\n[]\n{"name":"Bo","categoryId":3.0}',
  )
  expect(good.map(({ pet }) => pet.categoryId)).toEqual([9007199254740993n, 3n])
  expect(bad.map(({ line }) => line)).toEqual([2, 3])
})

test('a category is found by its name in this browser; an unknown or ambiguous one needs a number', () => {
  const text = 'Name,Category\nRex, dogs \nMia,Hamsters\nBo,hamsters\nTom,Cats\nIda,07\n'
  const file = read(text)
  expect(file.good.map(({ pet }) => pet.categoryId)).toEqual([7n])
  expect(file.unnumbered).toMatchObject([
    { name: 'Hamsters', lines: 2, typed: '' },
    { name: 'Cats', lines: 1, typed: '' },
  ])
  const answered = read(text, { hamsters: ' 9223372036854775807', cats: 'many' })
  expect(answered.good.map(({ line, pet }) => [line, pet.categoryId])).toEqual([
    [2, 7n],
    [3, 9223372036854775807n],
    [4, 9223372036854775807n],
  ])
  expect(answered.bad.map(({ text }) => text)).toEqual(['Tom,Cats', 'Ida,07'])
  const again = read(text, { hamsters: '009', cats: 'Dogs' })
  expect(again.good).toHaveLength(4)
  expect(again.unnumbered.map(({ number }) => number)).toEqual(['9', '7'])
})

test('a status in capitals is read in the same way, whatever the language of the browser', () => {
  // As in Turkish.
  using _lower = spyOn(String.prototype, 'toLocaleLowerCase').mockImplementation(function (this: string) {
    return this.replaceAll('I', 'ı').toLowerCase()
  })
  const { good } = read('name,categoryId,status\nRex,7,AVAILABLE\nMia,7,Pending\n')
  expect(good.map(({ pet }) => pet.status)).toEqual(['available', 'pending'])
})
