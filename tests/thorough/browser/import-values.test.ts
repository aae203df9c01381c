import { expect } from 'bun:test'
import { browserTests } from '../../support/browser/browser.ts'
import { button, heading, importOne, shownLines, tile } from '../../support/browser/import.ts'
import { chooseFile, openSheet, savedBy, sheet } from '../../support/browser/sheet.ts'
import { petJson } from '../../support/http.ts'
import { freshSqliteUrl } from '../../support/process.ts'
import { startProcess } from '../../support/service.ts'

const { describe, test, withConsole } = browserTests()
const app = withConsole()
const open = () => app.openSignedIn('/#import')

test('wrong values are marked in their lines', async () => {
  const page = await open()
  await chooseFile(page, 'large.csv', 'name;category\nRex;1E+05\nMia;"9,0072E+15"\nBo;-2e7\n')
  await heading(page, /^Nothing to add/)
  expect(await sheet(page).locator('mark').allTextContents()).toEqual(['1E+05', '9,0072E+15', '-2e7'])
  await chooseFile(page, 'a.ndjson', '{"name":"lost","categoryId": 7,"status":"lost dog"}\n')
  await heading(page, /a.ndjson/)
  expect(await sheet(page).locator('mark').allTextContents()).toEqual(['lost dog'])
})

test('a number for a category name also counts for the next file', async () => {
  const page = await open()
  await chooseFile(page, 'first.csv', 'name,category\nHammy,hamsters\nNewt,Newts\n')
  await page.getByLabel('Number of “hamsters”').fill('61')
  await page.keyboard.press('Tab')
  await sheet(page).getByRole('heading', { name: '1 animal to add' }).waitFor()
  await chooseFile(page, 'corrected.csv', 'name,category\nNewt,Newts\nHammy,hamsters\nHammy,Hamsters\n')
  await sheet(page).getByRole('heading', { name: '2 animals to add' }).waitFor()
  expect(await page.getByLabel('Number of “hamsters”').inputValue()).toBe('61')
  expect(await page.getByLabel('Number of “Newts”').inputValue()).toBe('')
})

describe('before anything is added, the preview', () => {
  /** Three pages, of which the limit allows two at a time. */
  const limited = withConsole({ variables: { PETSTORE_RATE_LIMIT: '2/3s' } }, async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startProcess({ databaseUrl })
    for (let n = 1; n <= 250; n++) await service.post(petJson({ name: `No. ${n}`, categoryId: 7n }))
    await service.stop()
    return databaseUrl
  })

  test('compares with the whole store, also under a rate limit, and says how far it is', async () => {
    const page = await limited.openSignedIn('/#import')
    await chooseFile(page, 'late.csv', 'name,category\nNo. 250,7\nNew,7\n')
    await heading(page, 'Comparing with the store…')
    await sheet(page).getByText('Reading 200 …').waitFor()
    await sheet(page).getByText('The service limits').waitFor()
    expect(await button(page, /^Add/).count()).toBe(0)
    await heading(page, /^1 animal to add/)
    expect((await shownLines(page)).map(([, text]) => text)).toEqual(['New,7'])
  })

  test('does not compare with a part after a read that failed', async () => {
    const page = await limited.openSignedIn()
    await page.route('**/v1/pets?*cursor*', route => route.abort('connectionrefused'))
    await page.goto('/#import')
    await page.reload()
    await chooseFile(page, 'late.csv', 'name,category\nNo. 250,7\n')
    await heading(page, 'Comparing with the store…')
    await sheet(page).getByText('The service cannot be reached').waitFor()
    expect(await button(page, /^Add/).count()).toBe(0)
    await page.unroute('**/v1/pets?*cursor*')
    await heading(page, /^Nothing new/)
  })

  test('names the columns that are not read, except the ID', async () => {
    const page = await open()
    await chooseFile(page, 'office.csv', 'id,Name,Category,State,Verfügbarkeit\n,Unstated,7,sold,verkauft\n')
    await heading(page, /^1 animal to add/)
    await sheet(page).getByText('Not read: State, Verfügbarkeit.').waitFor()
    await chooseFile(page, 'plain.csv', 'id,name,category\n,Unstated,7\n')
    await heading(page, /plain.csv/)
    expect(await sheet(page).getByText('Not read').count()).toBe(0)
  })

  test('leaves out animals with an ID that were edited, because import cannot change them, unless asked', async () => {
    for (const name of ['Kept', 'Wrong']) await app.add({ name, categoryId: 5n, status: 'available' })
    const page = await open()
    const file = 'id,name,categoryId,status\n1,Kept,5,available\n2,Corrected,5,available\n,Typed,5,sold\n'
    await chooseFile(page, 'edited.csv', file)
    await heading(page, /^1 animal to add/)
    const question = 'Import cannot change animals; this 1 would be added as a new one'
    await sheet(page).getByRole('group', { name: question }).getByText('Add too').click()
    await heading(page, /^2 animals to add/)
    await sheet(page).getByRole('group', { name: question }).getByText('Leave out').click()
    await importOne(page)
    expect(await app.stored(/^(Corrected|Typed)$/)).toMatchObject([{ name: 'Typed' }])
  })

  test('offers to add what is already there too, and then adds just that', async () => {
    for (let n = 0; n < 3; n++) await app.add({ name: 'Guppy', categoryId: 3n, status: 'available' })
    const page = await open()
    await chooseFile(page, 'tuesday.csv', 'name,category\nGuppy,3\nGuppy,3\n')
    await heading(page, /^Nothing new/)
    const choice = sheet(page).getByRole('group', { name: '2 are already there' })
    await choice.getByText('Add too').click()
    await heading(page, /^2 animals to add/)
    await button(page, 'Add 2 animals').click()
    await heading(page, /^2 animals were added/)
    expect(await app.stored('Guppy')).toHaveLength(5)
  })

  test('finds nothing new in the default export, whatever the names are', async () => {
    const names = ['=1+1', "'=1+1", '-Rex', ' @home', 'a\n+b', "'plain", '\t=x']
    for (const name of names) await app.add({ name, categoryId: 4n })
    const page = await app.openSignedIn('/?category=4')
    await page.locator('.total strong').waitFor()
    await openSheet(page, 'Export…')
    expect(await sheet(page).getByRole('checkbox').count()).toBe(0)
    const exported = await savedBy(page, 'Export')
    await page.goto('/#import')
    await page.reload()
    await chooseFile(page, 'again.csv', exported)
    await heading(page, /^Nothing new/)
    expect(await tile(page, 'Already there').innerText()).toContain(`${names.length}`)
  })
})
