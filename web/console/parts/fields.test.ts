import { afterEach, beforeEach, expect, test } from 'bun:test'
import { h } from 'preact'
import { click, closePage, draw, openPage } from '../../../tests/support/console.ts'
import { Button, TextField } from './fields.tsx'

beforeEach(() => openPage())
afterEach(closePage)

test('a field shows and announces its problem in place of its hint', () => {
  const field = (problem?: string) => {
    draw(h(TextField, { id: 'x', label: 'X', hint: 'A hint.', problem }))
    const input = document.querySelector('input')
    const about = document.getElementById(input?.getAttribute('aria-describedby') ?? '')
    return [input?.getAttribute('aria-invalid'), about?.textContent, about?.getAttribute('role')]
  }
  expect(field()).toEqual(['false', 'A hint.', null])
  expect(field('Wrong.')).toEqual(['true', 'Wrong.', 'alert'])
})

test('a button that is off says so and does nothing, and another acts', () => {
  let clicks = 0
  const clicked = (isOff: boolean) => {
    draw(h(Button, { isOff, onClick: () => clicks++ }))
    click('button')
    return [document.querySelector('button')?.getAttribute('aria-disabled'), clicks]
  }
  expect([clicked(true), clicked(false)]).toEqual([
    ['true', 0],
    [null, 1],
  ])
})
