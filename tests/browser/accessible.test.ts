import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { signIn, withConsole } from '../support/browser/browser.ts'
import { fillIn, holdAdditions, isClosed, loseAnswers, send, sheet } from '../support/browser/form.ts'
import { chooseFile, openSheet, pickFromMenu } from '../support/browser/menu.ts'
import { petJson } from '../support/http/exact.ts'
import { needs } from '../support/programs/needs.ts'
import { API_KEY } from '../support/service/service.ts'

const suite = needs('chromium')
const { beforeAll, describe, test } = suite

const app = withConsole(suite)

/** A state by its name, and what leads to it from the one before. */
type States = Readonly<Record<string, (page: Page) => Promise<unknown>>>

async function walk(page: Page, states: States): Promise<void> {
  for (const [state, reach] of Object.entries(states)) {
    await reach(page)
    await expectAccessible(page, ['light', 'dark', 'forced'], state)
  }
}

/** Answers to these wait until they are let go. */
async function hold(page: Page, addresses: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(addresses, async route => {
    await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}

const FILE = ['name,categoryId,status', 'Rex,7,sold', 'Mia,dog,sold', 'Bo,-3,', 'Luna,12,pending'].join('\n')

describe('axe finds nothing, in light, dark and forced colours', () => {
  test('before signing in, and in an empty store', async () => {
    await walk(await app.open(), {
      'sign-in': page => page.getByLabel('API key').waitFor(),
      'sign-in, for those who run it': async page => {
        await page.getByText('For the person who runs the service').click()
        await page.getByRole('button', { name: 'Show the key' }).click()
      },
      'a refused key, with its request': async page => {
        await page.getByLabel('API key').fill('nonsense')
        await page.keyboard.press('Enter')
        await page.locator('.exchange summary', { hasText: '401' }).click()
      },
      'an empty store': async page => {
        await signIn(page)
        await page.getByRole('heading', { name: 'No animals yet' }).waitFor()
      },
      'no page at an address': page => page.goto('/nothing/at/all'),
    })
  })

  describe('with animals', () => {
    beforeAll(async () => {
      const names = [
        '\u200b\u202e',
        'a\nb',
        'W'.repeat(255),
        ...Array.from({ length: 120 }, (_, n) => `${n}`),
      ]
      for (const name of names)
        await app.service().post(petJson({ name, status: name.length === 2 ? 'pending' : 'available' }))
    })

    test('in the list and the search', async () => {
      const page = await app.openSignedIn()
      let letGo = () => {}
      await walk(page, {
        'counts, complete': () => page.getByText('animals in all, counted at').waitFor(),
        'a filter without animals': async () => {
          await page.getByRole('link', { name: 'sold' }).click()
          await page.getByRole('heading', { name: 'No sold animals' }).waitFor()
        },
        'a page in the middle, dense, with its request': async () => {
          await page.goto('/?limit=10')
          await pickFromMenu(page, 'Dense rows')
          await page.getByRole('button', { name: 'Next' }).click()
          await page
            .getByRole('button', { name: 'Previous' })
            .and(page.locator('[aria-disabled=false]'))
            .waitFor()
          await page.locator('main .exchange summary').click()
        },
        'counts and search, on their way': async () => {
          // As the search and the counts read them.
          letGo = await hold(page, '**/v1/pets?limit=100&cursor=*')
          await page.goto('/')
          await page.getByLabel('Find by name or ID').fill('11')
          await page.getByText('among the first 100').waitFor()
          await page.getByText('will be removed on 5 December 2030').waitFor()
        },
        'a search, stopped': () => page.locator('.found-head').getByRole('button', { name: 'Stop' }).click(),
        'a search, done': async () => {
          letGo()
          await page.getByRole('button', { name: 'Search the rest' }).click()
          await page.getByText('found among 123 animals').waitFor()
        },
        'nothing found': async () => {
          await page.getByLabel('Find by name or ID').fill('no such animal')
          await page.getByText('No animal found').waitFor()
        },
        'an animal, with what cannot be done': async () => {
          await page.goto('/')
          await page.getByRole('button', { name: '7', exact: true }).click()
          await page.getByText('Edit, sell or delete this animal?').click()
          await page.getByLabel('Your name for category 7').fill('Dogs')
          await page.keyboard.press('Tab')
        },
        'a name for a category': async () => {
          await page.keyboard.press('Escape')
          await isClosed(page)
          await page.locator('td.category').getByText('Dogs').first().waitFor()
        },
        'the menu': () => page.getByText('More', { exact: true }).click(),
        'help, with its answers': async () => {
          await page.getByRole('button', { name: 'Help and shortcuts' }).click()
          for (const answer of await sheet(page).locator('summary').all()) await answer.click()
        },
        news: async () => {
          await page.keyboard.press('Escape')
          await isClosed(page)
          await page.getByText('animals in all, counted at').waitFor()
          await app.service().post(petJson({ name: 'From elsewhere' }))
          await page.getByRole('button', { name: 'Refresh', exact: true }).click()
          await page.getByText('1 new animal', { exact: true }).waitFor()
        },
        'an address that no page has': async () => {
          await page.goto('/?cursor=made-up')
          await page.getByText('This page of the list cannot be opened').waitFor()
          await page.getByText('Details', { exact: true }).click()
        },
      })
    })

    test('while animals are added', async () => {
      const page = await app.openSignedIn('/?limit=10')
      const letGo = await holdAdditions(page)
      await walk(page, {
        'the form': async () => {
          await page.getByRole('button', { name: 'Add animal', exact: true }).click()
          await sheet(page).waitFor()
        },
        'the form, with what is wrong': async () => {
          await page.getByLabel('Category', { exact: true }).fill('dog')
          await send(page)
          await page.getByText('Enter a whole number').waitFor()
        },
        'an answer that is slow': async () => {
          await page.getByLabel('Name', { exact: true }).fill('Held')
          await page.getByLabel('Category', { exact: true }).fill('7')
          await send(page)
          await page.getByText('If you cancel now').waitFor()
        },
        'an answer that is waited for in the list': async () => {
          await page.keyboard.press('Escape')
          await page.getByText('may still be added').waitFor()
        },
        'added, on a later page': async () => {
          letGo()
          await page.getByText('New, on a later page').waitFor()
          await page.unroute('**/v1/pets')
        },
        'added, while another is typed': async () => {
          await fillIn(page, { name: 'First' })
          await page.getByRole('button', { name: 'Add and start another' }).click()
          await sheet(page).getByText('was added with ID').waitFor()
          await sheet(page).locator('.exchange summary').click()
        },
        'added, with another status': async () => {
          await page.keyboard.press('Escape')
          await isClosed(page)
          await page.goto('/?status=available')
          await fillIn(page, { name: 'Sold one', status: 'sold' })
          await send(page)
          await page.getByRole('button', { name: 'Show sold animals' }).waitFor()
        },
        'a lost answer': async () => {
          await loseAnswers(page, 2)
          await fillIn(page, { name: 'Lost' })
          await send(page)
          await sheet(page).getByText('may have been added').waitFor()
          await sheet(page).getByText('Details', { exact: true }).click()
        },
        'a lost answer, in the list': async () => {
          await page.keyboard.press('Escape')
          await isClosed(page)
          await page.getByText('may have been added').waitFor()
        },
        'the first version was added': async () => {
          await page.unroute('**/v1/pets')
          await page.getByRole('button', { name: 'Add animal', exact: true }).click()
          await page.getByLabel('Name', { exact: true }).fill('After')
          await sheet(page).getByRole('button', { name: 'Try again' }).click()
          await sheet(page).getByText('The first version was added').waitFor()
        },
      })
    })

    test('while a file is imported or exported', async () => {
      const page = await app.openSignedIn()
      const letGo = await holdAdditions(page)
      await walk(page, {
        'import, no file': () => openSheet(page, 'Import…'),
        'import, preview': async () => {
          await chooseFile(page, 'animals.csv', FILE)
          await page.getByText('3 animals to add, 1 with problems').waitFor()
        },
        'import, running': async () => {
          await page.getByRole('button', { name: 'Add 3 animals' }).click()
          await page.getByText('0 added, 3 to go').waitFor()
        },
        'import, paused': async () => {
          await page.getByRole('button', { name: 'Pause' }).click()
          await page.getByRole('button', { name: /Add 3|Resume/ }).waitFor()
        },
        'import, done': async () => {
          letGo()
          await page.getByRole('button', { name: /Add 3|Resume/ }).click()
          await page.getByText('3 added. Done.').waitFor()
        },
        export: async () => {
          await page.keyboard.press('Escape')
          await isClosed(page)
          await openSheet(page, 'Export…')
        },
        'export, done': async () => {
          await page.getByRole('button', { name: 'Export', exact: true }).click()
          await page.getByText('animals exported.').waitFor()
        },
      })
    })

    test('in trouble', async () => {
      const page = await app.open()
      let letGo = () => {}
      await walk(page, {
        'the service cannot be reached': async () => {
          await page.route('**/v1/**', route => route.abort('connectionrefused'))
          await page.getByLabel('API key').fill(API_KEY)
          await page.keyboard.press('Enter')
          await page.getByText('The service cannot be reached').waitFor()
          await page.unroute('**/v1/**')
        },
        'rows of the filter before, and a slow answer': async () => {
          await signIn(page)
          await page.locator('.animals').waitFor()
          letGo = await hold(page, '**/v1/pets?*status=pending*')
          await page.getByRole('link', { name: 'pending' }).click()
          await page.getByText('Loading pending animals').waitFor()
          await page.getByText('Still waiting for the service…').waitFor()
        },
        'waiting was stopped': async () => {
          await page.getByRole('button', { name: 'Stop waiting' }).click()
          await page.getByText('You stopped waiting').waitFor()
          letGo()
        },
        offline: async () => {
          await page.goto('/')
          await page.locator('.animals').waitFor()
          await page.context().setOffline(true)
          await page.getByRole('link', { name: 'sold' }).click()
          await page.getByText('You are offline', { exact: true }).first().waitFor()
        },
        'offline, in the form': async () => {
          await page.getByRole('button', { name: 'Add animal', exact: true }).click()
          await sheet(page).getByText('You are offline').waitFor()
        },
      })
    })
  })
})
