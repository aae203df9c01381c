import { expect } from 'bun:test'
import { browserTests } from '../../support/browser/browser.ts'
import { chooseFile, sheet } from '../../support/browser/sheet.ts'

const { test, withConsole } = browserTests()
const app = withConsole()
const open = () => app.openSignedIn('/#import')

test('a number with an exponent is refused with what to do, and is no category name', async () => {
  const page = await open()
  await chooseFile(page, 'large.csv', 'name;category\nRex;1E+05\nMia;"9,0072E+15"\nBo;-2e7\nTom;Newts\n')
  await sheet(page).getByText('1 category name has no number yet').waitFor()
  await page.getByLabel('Number of “Newts”').waitFor()
  const problems = page.locator('.lines tbody tr', {
    hasText: 'Format the column as a number without exponent',
  })
  expect(await problems.locator('code').allTextContents()).toEqual([
    'Rex;1E+05',
    'Mia;"9,0072E+15"',
    'Bo;-2e7',
  ])
})

test('after a file that is refused, the file below is named as the one chosen before, until a button is used', async () => {
  const page = await open()
  const alert = sheet(page).getByRole('alert')
  await chooseFile(page, 'empty.csv', '')
  await alert.getByText(/^empty.csv: The file is empty\.$/).waitFor()
  await chooseFile(page, 'first.csv', 'name,category\nStays,7\n')
  await alert.waitFor({ state: 'detached' })
  await chooseFile(page, 'second.csv', 'Rex;7')
  await alert
    .getByText(
      /^second.csv: The first line must.* Below is still the file that you chose before, first.csv\.$/,
    )
    .waitFor()
  await sheet(page).getByRole('button', { name: 'Add 1 animal' }).click()
  await sheet(page).getByRole('heading', { name: '1 animal was added' }).waitFor()
  expect(await alert.count()).toBe(0)
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
