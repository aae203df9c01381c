import { afterEach, beforeEach, expect, test } from 'bun:test'
import { kept } from '../../storage.ts'
import { BrowserSettings } from './session.ts'

const page = new EventTarget()
beforeEach(() => void Object.assign(globalThis, { window: page }))
afterEach(() => {
  kept.settings.set(undefined)
  Reflect.deleteProperty(globalThis, 'window')
})

test('a category has the name that it was given, without blanks around it, until the name is blank', () => {
  const settings = new BrowserSettings()
  settings.nameCategory('7', ' Cats ')
  settings.nameCategory('40', 'Dogs')
  expect(settings.state.value.categoryNames).toEqual({ 7: 'Cats', 40: 'Dogs' })
  settings.nameCategory('7', '  ')
  expect(settings.state.value.categoryNames).toEqual({ 40: 'Dogs' })
})

test('a setting is added to what another tab has stored since', () => {
  const settings = new BrowserSettings()
  kept.settings.setJson({ hasShortcuts: false, categoryNames: { 7: 'Newts' } })
  settings.nameCategory('40', 'Dogs')
  expect(settings.state.value).toEqual({ hasShortcuts: false, categoryNames: { 7: 'Newts', 40: 'Dogs' } })
})

test('a name given in another tab is shown in this one', () => {
  const settings = new BrowserSettings()
  kept.settings.setJson({ categoryNames: { 7: 'Newts' } })
  page.dispatchEvent(Object.assign(new Event('storage'), { key: 'petstore-settings' }))
  expect(settings.state.value.categoryNames).toEqual({ 7: 'Newts' })
})
