import { signIn, withConsole } from '../../support/browser/browser.ts'
import { holdAdditions, isClosed, sheet } from '../../support/browser/form.ts'
import { pickFromMenu } from '../../support/browser/menu.ts'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { API_KEY } from '../../support/service/service.ts'
import { addingStates, fileStates } from './accessible/adding.ts'
import { hold, walk } from './accessible/walk.ts'

const suite = needs('chromium')
const { beforeAll, describe, test } = suite

const app = withConsole(suite)

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
          // The pages that the search and the counts read.
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
      await walk(page, addingStates(page, letGo))
    })

    test('while a file is imported or exported', async () => {
      const page = await app.openSignedIn()
      const letGo = await holdAdditions(page)
      await walk(page, fileStates(page, letGo))
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
