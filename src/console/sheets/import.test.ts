import { expect, test } from 'bun:test'
import { importFile } from './import.ts'

const read = (text: string) => importFile(new TextEncoder().encode(text), 'chosen')

test('a chosen file yields its animals, and says by line what is wrong with the others, all at once', () => {
  const { good, bad } = read('name,categoryId,status\nRex,7,sold\n ,dog,lost\nMia,7\nBo,3,\n')
  expect(good).toEqual([
    { line: 2, pet: { name: 'Rex', categoryId: 7n, status: 'sold' }, occurrence: 1 },
    { line: 5, pet: { name: 'Bo', categoryId: 3n, status: 'available' }, occurrence: 1 },
  ])
  expect(bad).toEqual([
    {
      line: 3,
      problem:
        'Name: Enter a name. Category: Enter a whole number, such as 7. Status: use one of available, pending, sold.',
    },
    { line: 4, problem: 'it has 2 fields; the first line has 3' },
  ])
})

test('NDJSON is exact to the last digit, and text is no number', () => {
  const { good, bad } = read(
    '{"name":"Rex","categoryId":9007199254740993}\n{"name":1,"categoryId":"7"}\n[]\n{"name":"Bo","categoryId":3.0}',
  )
  expect(good.map(({ pet }) => pet.categoryId)).toEqual([9007199254740993n, 3n])
  expect(bad.map(({ line }) => line)).toEqual([2, 3])
})

test('the bad rows are a file of their own, with the head of the file and with rows of many lines', () => {
  const csv = read('name,categoryId\nRex,7\n"a\nb",dog\n\nMia,x\n')
  expect(csv.textOf(csv.bad)).toBe('name,categoryId\n"a\nb",dog\nMia,x\n')
  const ndjson = read('{"name":"Rex","categoryId":7}\n{"name":"","categoryId":7}\n')
  expect(ndjson.textOf(ndjson.bad)).toBe('{"name":"","categoryId":7}\n')
})
