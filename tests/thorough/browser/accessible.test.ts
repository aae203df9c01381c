import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../../support/browser/accessibility.ts'
import { browserTests, namesOf, signIn } from '../../support/browser/browser.ts'
import { categoryField, fillIn, line, nameField, send } from '../../support/browser/form.ts'
import { holdAdditions, loseAnswers } from '../../support/browser/network.ts'
import { close, openSheet, pickFromMenu, sheet } from '../../support/browser/sheet.ts'
import { API_KEY } from '../../support/service.ts'

const { beforeAll, describe, test, withConsole } = browserTests()

const STAGING = { variables: { PETSTORE_ENV: 'staging' } }
const [app, empty] = [withConsole(STAGING), withConsole(STAGING)]

beforeAll(async () => {
  const names = ['\u200b\u202e', 'a\nb', 'W'.repeat(255), ...Array.from({ length: 120 }, (_, n) => `${n}`)]
  for (const name of names) await app.add({ name, status: name.length === 2 ? 'pending' : 'available' })
})

/** Each state by name, and how to reach it from the previous one. */
type States = Readonly<Record<string, (page: Page) => Promise<unknown>>>

async function walk(page: Page, states: States): Promise<void> {
  for (const [state, reach] of Object.entries(states)) {
    await reach(page)
    await expectAccessible(page, ['light', 'dark'], state)
  }
}

describe('axe finds nothing, in light and in dark', () => {
  test('before signing in and in an empty store', async () => {
    await walk(await empty.open(), {
      'sign-in': async page => {
        await page.getByText('For the person who runs the service').click()
        expect(await page.title()).toBe('Sign in · Petstore · staging')
      },
      'a refused key': async page => {
        await page.getByLabel('API key').fill('nonsense')
        await page.keyboard.press('Enter')
        await page.locator('.problem').waitFor()
      },
      'an empty store': async page => {
        await signIn(page)
        await page.getByRole('heading', { name: 'No animals yet' }).waitFor()
      },
    })
  })

  describe('with animals', () => {
    test('in the list and what it opens', async () => {
      await walk(await app.openSignedIn(), {
        'a page in the middle': page => page.getByRole('button', { name: 'Next page' }).click(),
        'nothing found': page => page.goto('/?status=sold&q=no+such+animal'),
        'the menus': page => page.getByRole('button', { name: 'Sort', exact: true }).click(),
        categories: async page => {
          await page.goto('/')
          await openSheet(page, 'Categories…')
          await page.getByLabel('Your name for category 7').fill('Dogs')
          await page.keyboard.press('Tab')
        },
        help: async page => {
          await close(page)
          await openSheet(page, 'Help and shortcuts')
        },
        'export, done': async page => {
          await close(page)
          await openSheet(page, 'Export…')
          await sheet(page).getByRole('button', { name: 'Export', exact: true }).click()
          await page.getByText('animals exported.').waitFor()
        },
        'an animal': async page => {
          await page.goto('/#animal=3')
          await page.reload()
          await sheet(page).waitFor()
        },
        news: async page => {
          await close(page)
          await app.add({ name: 'From elsewhere' })
          await pickFromMenu(page, 'Refresh')
          await page.getByText('1 new animal', { exact: true }).waitFor()
        },
        reconnecting: async page => {
          await page.route('**/v1/**', route => route.abort('connectionrefused'))
          await pickFromMenu(page, 'Refresh')
          await page.getByText('Reconnecting…').waitFor()
          await page.getByText('Details', { exact: true }).click()
        },
        offline: page => page.context().setOffline(true),
        'on a phone': async page => {
          await page.context().setOffline(false)
          await page.unroute('**/v1/**')
          await page.setViewportSize({ width: 390, height: 844 })
          await page.goto('/?status=available&category=7&sort=-name&q=1')
          await namesOf(page)
        },
      })
    })

    test('while animals are added', async () => {
      const page = await app.openSignedIn()
      const letGo = await holdAdditions(page)
      await walk(page, {
        'the form, with what is wrong': async () => {
          await fillIn(page, { name: '', category: 'dog' })
          await send(page)
          await page.getByText('Enter a whole number').waitFor()
        },
        'a twin, and a response that is waited for': async () => {
          await nameField(page).fill('7')
          await categoryField(page).fill('7')
          await page.getByText('already an animal').waitFor()
          await send(page)
          await line(page, '7').getByText('on its way').waitFor()
          await nameField(page).fill('8')
        },
        'a lost response and refused ones': async () => {
          letGo()
          await line(page, '7').getByText('on its way').waitFor({ state: 'detached' })
          await page.unroute('**/v1/pets')
          await loseAnswers(page, 1)
          await nameField(page).fill('Lost')
          await send(page)
          await line(page, 'Lost').getByText('may have been added').waitFor()
          for (const [name, status, code] of [
            ['Limited', 429, 'rate_limited'],
            ['Large', 413, 'body_too_large'],
          ] as const) {
            await page.route('**/v1/pets', route =>
              route.fulfill({ status, json: { code, message: 'No.', status } }),
            )
            await nameField(page).fill(name)
            await send(page)
            await line(page, name).getByText('not added').waitFor()
          }
          await nameField(page).fill('Next')
          await page.setViewportSize({ width: 390, height: 844 })
        },
      })
    })
  })
})

/** Runs in the page: what has the focus, and whether that is visible. A choice has its outline around the label. */
const FOCUS = `(() => {
  const focused = document.activeElement
  if (focused === document.body) return ['', false]
  const seen = focused.closest('.segment') ?? focused
  const name = focused.ariaLabel ?? (focused.labels?.[0] ?? focused).innerText.trim()
  return [name, getComputedStyle(seen).outlineStyle !== 'none']
})()`

/** Presses Tab until the element with this name has the focus. On failure, lists the elements that had it. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = []
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press('Tab')
    const [label, isOutlined] = await page.evaluate<[string, boolean]>(FOCUS)
    seen.push(label)
    if (!label.toLowerCase().includes(name.toLowerCase())) continue
    expect([name, isOutlined]).toEqual([name, true])
    return
  }
  throw new Error(`Tab does not lead to ${name}, only to ${seen}`)
}

test('the keyboard alone is enough, from signing in to adding an animal and signing out', async () => {
  const page = await app.open()
  await page.getByLabel('API key').waitFor()
  await page.keyboard.type(API_KEY)
  await page.keyboard.press('Enter')
  await page.getByText('1–50 of').waitFor()
  await tabTo(page, 'Next page')
  await page.keyboard.press('Enter')
  await page.getByText('51–100 of').waitFor()
  await tabTo(page, 'Add animal')
  await page.keyboard.press('Enter')
  await sheet(page).waitFor()
  await page.keyboard.type('Typed')
  await page.keyboard.press('Tab')
  await page.keyboard.type('7')
  await tabTo(page, 'available')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await tabTo(page, 'Add and close')
  await page.keyboard.press('Enter')
  await page.getByText('was added with ID').waitFor()
  await page.locator(':focus', { hasText: /^Add animal/ }).waitFor()
  await tabTo(page, 'sold')
  await page.keyboard.press('Enter')
  await page.locator('.animals .new').waitFor()
  expect((await namesOf(page))[0]).toBe('Typed')
  await tabTo(page, 'Your API key')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Sign out')
  await page.keyboard.press('Enter')
  await page.getByLabel('API key', { exact: true }).waitFor()
})
