import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible, tooSmall } from '../../support/browser/accessibility.ts'
import { signIn, signOut, withConsole } from '../../support/browser/browser.ts'
import { chooseFile, holdAdditions, isClosed, sheet } from '../../support/browser/form.ts'
import { petJson, walk } from '../../support/http.ts'
import { needs } from '../../support/programs.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)
const stored = async (start: string) =>
  (await walk(app.service(), '/v1/pets?limit=100')).pets.filter(({ name }) => name.startsWith(start))
const ndjson = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `{"name":"${name} ${n}","categoryId":9007199254740993}`).join('\n')

const open = () => app.openSignedIn('/#import')
const chooseBytes = (page: Page, name: string, buffer: Buffer) =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer })
const button = (page: Page, name: string) => sheet(page).getByRole('button', { name, exact: true })
const heading = (page: Page, text: string | RegExp) =>
  sheet(page).getByRole('heading', { name: text, level: 2 }).waitFor()
const tile = (page: Page, name: string) => sheet(page).getByRole('button', { name: new RegExp(`^${name} `) })
/** The lines that are shown: the line, its text with marked values, and how it was read or what to change. */
const shownLines = (page: Page) =>
  page.locator('.lines tbody tr').evaluateAll(rows =>
    rows.map(row =>
      [...(row as unknown as { cells: { textContent: string; innerHTML: string }[] }).cells].map(cell =>
        /<mark>/.test(cell.innerHTML)
          ? cell.innerHTML
              .replace(/<mark>/g, '[')
              .replace(/<\/mark>/g, ']')
              .replace(/<[^>]*>|&nbsp;/g, '')
          : cell.textContent,
      ),
    ),
  )

async function saved(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return Buffer.from(await Bun.file(await download.path()).bytes())
}

describe('no animal is added twice or lost', () => {
  test('by a pause, a closed sheet, a lost connection, or any of them at any moment', async () => {
    const page = await open()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    let posts = 0
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST' || ++posts <= 8) return route.continue()
      // The service has the animal; the pause comes before the response.
      await route.fetch()
      return held()
    })
    await chooseFile(page, 'animals.ndjson', ndjson('Line', 30))
    await button(page, 'Add 30 animals').click()
    await isHeld
    await button(page, 'Close').click()
    await isClosed(page)
    await page.getByText('Importing: animals.ndjson, 8 of 30 animals').waitFor()
    await page.getByRole('button', { name: 'Open the import' }).click()
    await button(page, 'Pause').dblclick()
    await heading(page, /^Paused at 8 of 30/)
    await page.getByText('4 more may have been added').waitFor()
    await page.unroute('**/v1/pets')
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      // Half of the lost requests reached the service.
      if (++posts % 2) await route.fetch()
      // The end of this rule may have handled it meanwhile.
      return route.abort().catch(() => undefined)
    })
    await button(page, 'Resume').click()
    await page.getByText('The service cannot be reached. No line is lost').waitFor()
    await page.unroute('**/v1/pets')
    await heading(page, /^30 animals were added/)
    await page.keyboard.press('Escape')
    await isClosed(page)
    await page.getByRole('button', { name: 'Dismiss the import' }).click()
    await page.getByText('Imported: animals.ndjson').waitFor({ state: 'detached' })
    const lines = await stored('Line')
    expect([lines.length, new Set(lines.map(({ name }) => name)).size]).toEqual([30, 30])
    expect(new Set(lines.map(({ categoryId }) => categoryId))).toEqual(new Set([9007199254740993n]))
  })

  test('by signing out, which ends the import', async () => {
    const page = await open()
    const letGo = await holdAdditions(page)
    await chooseFile(page, 'animals.ndjson', ndjson('Of a guest', 9))
    await button(page, 'Add 9 animals').click()
    await heading(page, /^Adding animals: 0 of 9/)
    await page.keyboard.press('Escape')
    await isClosed(page)
    await signOut(page)
    await page.getByLabel('API key').waitFor()
    const sent: string[] = []
    page.on('request', request => sent.push(request.method()))
    letGo()
    await signIn(page)
    await page.locator('.animals').waitFor()
    expect(sent).not.toContain('POST')
  })

  test('of 10,000 rows, by a pause, a reload, the same file again, and once more', async () => {
    const page = await open()
    const file = Buffer.from(
      `name;Category\r\n${Array.from({ length: 10_000 }, (_, n) => `Of many ${n % 5000};${9007199254740993n + BigInt(n % 5000)}`).join('\r\n')}`,
    )
    const count = async () => {
      let found = 0
      for (let path = '/v1/pets?limit=100'; path; ) {
        const answer = await app.service().fetch(path)
        found += answer.pets.filter(({ name }) => name.startsWith('Of many')).length
        path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? ''
      }
      return found
    }
    await chooseBytes(page, 'many.csv', file)
    await button(page, 'Add 10,000 animals').dblclick()
    await heading(page, /^Adding animals: [1-9]\d{2}/)
    await button(page, 'Pause').click()
    await heading(page, /^Paused at/)
    await button(page, 'Resume').click()
    await heading(page, /^Adding animals: [2-9],\d{3}/)
    page.on('dialog', dialog => void dialog.accept())
    await page.reload()
    await chooseBytes(page, 'many.csv', file)
    await sheet(page)
      .getByRole('button', { name: /^Add [\d,]+ animals$/ })
      .click()
    await sheet(page)
      .getByRole('heading', { name: /were added/ })
      .waitFor({ timeout: 200_000 })
    expect(await count()).toBe(10_000)
    await button(page, 'Choose another file').waitFor()
    await page.reload()
    await chooseBytes(page, 'many.csv', file)
    await heading(page, /^Nothing new/)
    expect(await button(page, 'Add 0 animals').getAttribute('aria-disabled')).toBe('true')
    expect(await count()).toBe(10_000)
  }, 290_000)

  test('by rows that are equal, although the store has some of them', async () => {
    const page = await open()
    await chooseFile(page, 'three.csv', 'name,category\nTriplet,3\nTriplet,3\nTriplet,3\n')
    let posts = 0
    // The second row is lost, and the reload forgets it.
    await page.route('**/v1/pets', route =>
      route.request().method() === 'POST' && ++posts === 2 ? undefined : route.continue(),
    )
    await button(page, 'Add 3 animals').click()
    await heading(page, /^Adding animals: 2 of 3/)
    page.on('dialog', dialog => void dialog.accept())
    await page.reload()
    await page.locator('.list[aria-busy=false]').waitFor({ state: 'attached' })
    await chooseFile(page, 'three.csv', 'name,category\nTriplet,3\nTriplet,3\nTriplet,3\n')
    await button(page, 'Add 1 animal').click()
    await heading(page, /^1 animal was added/)
    expect(await stored('Triplet')).toHaveLength(3)
  })
})

describe('a rate limit or an unavailable service', () => {
  const limited = withConsole(suite, { variables: { PETSTORE_RATE_LIMIT: '6/3s' } })

  test('is waited for, and no row is refused or lost', async () => {
    const page = await limited.openSignedIn('/#import')
    let isFirst = true
    await page.route('**/v1/pets', route => {
      if (route.request().method() !== 'POST' || !isFirst) return route.continue()
      isFirst = false
      const body = { code: 'unavailable', message: 'Later.', status: 503 }
      return route.fulfill({ status: 503, json: body, headers: { 'retry-after': '1' } })
    })
    await chooseFile(page, 'animals.ndjson', ndjson('Limited', 12))
    await button(page, 'Add 12 animals').click()
    await page.getByText('The service cannot respond right now. No line is lost').waitFor()
    await page.getByText(/Too many requests. No line is lost: the import continues in \d s/).waitFor()
    await heading(page, /^12 animals were added/)
    expect((await limited.service().fetch('/v1/pets?limit=100')).pets).toHaveLength(12)
  })
})

describe('files from offices', () => {
  const files: [string, string, Buffer][] = [
    ['semicolons', 'Señor Ω1', Buffer.from('name;categoryId;status\r\nSeñor Ω1;7;sold\r\n')],
    ['tabs', 'Señor Ω2', Buffer.from('name\tcategoryId\tstatus\r\nSeñor Ω2\t7\tsold\r\n')],
    ['sep=;', 'Señor Ω3', Buffer.from('\ufeffsep=;\r\nname;categoryId;status\r\nSeñor Ω3;7;sold\r\n')],
    ['CR line ends', 'Señor Ω4', Buffer.from('name,categoryId,status\rSeñor Ω4,7,sold\r')],
    ['Category, in another order', 'Señor Ω5', Buffer.from('Status,Category,Note,Name\nSold,7,x,Señor Ω5\n')],
    ['UTF-16', 'Señor Ω6', Buffer.from('\ufeffname\tcategoryId\tstatus\r\nSeñor Ω6\t7\tsold\r\n', 'utf16le')],
  ]
  test.each(files)('with %s are read', async (_what, name, bytes) => {
    const page = await open()
    await chooseBytes(page, 'office.csv', bytes)
    await heading(page, /^1 animal to add/)
    expect((await shownLines(page))[0]?.[2]).toContain(name)
    await button(page, 'Add 1 animal').dblclick()
    await heading(page, /^1 animal was added/)
    expect(await stored(name)).toMatchObject([{ name, categoryId: 7n, status: 'sold' }])
  })

  const windows = Buffer.from('Name;Category\r\nRené the Cat;7\r\nL\x92\x8cil;8\r\n', 'latin1')
  const mac = Buffer.from('Name;Category\rAndr\x8e the Cat;7\r', 'latin1')

  test.each([
    ['Windows-1252', windows, 'René, L’Œil', ['René the Cat', 'L’Œil']],
    ['Mac OS Roman', mac, 'André', ['André the Cat']],
  ] as const)(
    'that are %s are asked about, with their own words, before anything is added',
    async (_what, bytes, words, names) => {
      const page = await open()
      await chooseBytes(page, 'old.csv', bytes)
      await heading(page, 'Does this look right?')
      const chosen = sheet(page).getByRole('radio', { checked: true })
      expect(await chosen.locator('..').textContent()).toContain(words)
      await sheet(page).getByText('Cyrillic').click()
      await sheet(page).getByText(words, { exact: true }).click()
      // The second click must not add what was not seen yet.
      await button(page, 'Yes, continue').dblclick()
      await heading(page, /^\d animals? to add/)
      expect((await shownLines(page)).map(([, , read]) => read)).toEqual(
        names.map(name => expect.stringContaining(name)),
      )
      expect(await stored(names[0])).toEqual([])
      await page.reload()
      await chooseBytes(page, 'old.csv', bytes)
      await button(page, 'Yes, continue').click()
      await sheet(page)
        .getByRole('button', { name: /^Add \d animals?$/ })
        .click()
      await heading(page, /added/)
      for (const name of names) expect(await stored(name)).toHaveLength(1)
    },
  )

  test('that are no such file are named, with what to do; what was shown before stays', async () => {
    const page = await open()
    const refuse = async (name: string, bytes: string, message: string) => {
      await chooseBytes(page, name, Buffer.from(bytes, 'latin1'))
      await page.getByRole('alert').getByText(message).waitFor()
    }
    await refuse('sheet.xlsx', 'PK\u0003\u0004…', 'sheet.xlsx: This is a spreadsheet file (.xlsx)')
    await refuse('array.json', '[{"name":"Rex","categoryId":7}]', 'JSON array')
    await refuse('empty.csv', '', 'The file is empty')
    expect((await saved(page, 'Save an example')).toString()).toStartWith('name,categoryId,status\r\n')
    await chooseFile(page, 'padded.csv', 'Name,CategoryId,Status\nPadded, 7 ,Available\n')
    await refuse('headless.csv', 'Rex;7', 'The first line must list the columns')
    await button(page, 'Add 1 animal').click()
    await heading(page, /^1 animal was added/)
    expect(await stored('Padded')).toMatchObject([{ categoryId: 7n, status: 'available' }])
  })
})

describe('category names in a file', () => {
  const FILE = 'Name,Category\nNamed 1,Dogs\nNamed 2,hamsters\nNamed 3,Hamsters\nNamed 4,Newts\n'

  test('are numbers if this browser knows them, and otherwise a question, which is asked once', async () => {
    const page = await open()
    await page.evaluate(`localStorage.setItem('petstore-settings', '{"categoryNames":{"7":"Dogs"}}')`)
    await page.reload()
    await chooseFile(page, 'named.csv', FILE)
    await heading(page, /^1 animal to add/)
    await sheet(page).getByText('2 category names have no number yet').waitFor()
    // Typed and clicked at once: the number counts.
    await page.getByLabel('Number of “hamsters”').fill('9223372036854775807')
    await sheet(page)
      .getByRole('button', { name: /^Add \d animals?$/ })
      .click()
    await heading(page, /^3 added, 1 refused/)
    expect(
      (await stored('Named')).map(({ name, categoryId }) => `${name}: ${categoryId}`).toSorted(),
    ).toEqual(['Named 1: 7', 'Named 2: 9223372036854775807', 'Named 3: 9223372036854775807'])
    expect(await shownLines(page)).toEqual([
      [
        '5',
        'Named 4,[Newts]',
        'Category: Enter a whole number, such as 7, or a name you gave to one category.',
      ],
    ])
    await page.reload()
    await chooseFile(page, 'named.csv', FILE)
    await sheet(page).getByText('1 category name has no number yet').waitFor()
    await page.getByLabel('Number of “Newts”').fill('many')
    await page.keyboard.press('Tab')
    await page.locator('.field .problem', { hasText: 'Enter a whole number, such as 7, or' }).waitFor()
    await page.getByLabel('Number of “Newts”').fill('dogs')
    await page.keyboard.press('Enter')
    await button(page, 'Add 1 animal').click()
    await heading(page, /^1 animal was added/)
    expect(await stored('Named 4')).toMatchObject([{ categoryId: 7n }])
    expect(await stored('Named')).toHaveLength(4)
  })
})

describe('the result', () => {
  const FILE = 'name;categoryId;status\nFirst;7;\n=1+1;abc;gone\n   ;7;sold\nFirst;7;\n'

  test('has a heading, figures, and marks what is wrong; the lines to correct are a file that can be chosen', async () => {
    const page = await open()
    await chooseFile(page, 'spring.csv', FILE)
    await heading(page, /^2 animals to add.*spring.csv, 4 lines/)
    const bad = [
      [
        '3',
        '=1+1;[abc];[gone]',
        'Category: Enter a whole number, such as 7, or a name you gave to one category. Status: use one of available, pending, sold.',
      ],
      ['4', '[];7;sold', 'Name: Enter a name.'],
    ]
    expect(await shownLines(page)).toEqual(bad)
    await tile(page, 'To add').click()
    expect((await shownLines(page)).map(([line]) => line)).toEqual(['2', '5'])
    await button(page, 'Add 2 animals').click()
    await heading(page, /^2 added, 2 refused.*spring.csv, 4 lines, .* s$/)
    expect(await tile(page, 'Added').textContent()).toMatch(/Added2IDs \d+ to \d+$/)
    await tile(page, 'Not added').click()
    expect(await shownLines(page)).toEqual(bad)
    const file = (await saved(page, 'Save as a file')).toString()
    expect(file.split('\r\n')).toEqual([
      '\ufeffWhat to change;name;categoryId;status',
      `"${bad[0]?.[2]}";'=1+1;abc;gone`,
      `${bad[1]?.[2]};"   ";7;sold`,
      '',
    ])
    await chooseFile(page, 'to-correct-spring.csv', file.replace('abc;gone', '-8;Sold'))
    await button(page, 'Add 1 animal').click()
    await heading(page, /^1 added, 1 refused/)
    expect(await stored('=1+1')).toMatchObject([{ name: '=1+1', categoryId: -8n, status: 'sold' }])
    // The whole file, corrected, adds the last line only.
    await chooseFile(page, 'spring.csv', FILE.replace('abc;gone', '-8;sold').replace('   ', 'Third'))
    await tile(page, 'Already there').filter({ hasText: 'there3' }).waitFor()
    await button(page, 'Add 1 animal').click()
    await heading(page, /^1 animal was added/)
    await chooseFile(page, 'spring.csv', FILE)
    await heading(page, /^Nothing to add/)
    await tile(page, 'Already there').click()
    await button(page, 'Add them again').dblclick()
    await heading(page, /^2 added, 2 refused/)
    expect(await stored('First')).toHaveLength(4)
  })

  test('is nothing new for an export of the store, and leads to the new animals in the list', async () => {
    await app.service().post(petJson({ name: 'Exported', categoryId: 5n }))
    const page = await open()
    await chooseFile(page, 'export.csv', 'id,name,categoryId,status\n1,Exported,5,available\n')
    await heading(page, /^Nothing new/)
    await chooseFile(page, 'new.csv', 'name,category\nMarked 1,5\nMarked 2,5\n')
    await button(page, 'Add 2 animals').click()
    await button(page, 'Show the 2 in the list').click()
    await isClosed(page)
    await page.locator('.animals .new').nth(1).waitFor()
    expect((await page.locator('.animals .new .name-text').allTextContents()).toSorted()).toEqual([
      'Marked 1',
      'Marked 2',
    ])
  })
})

/** Runs in the page: drags a file over an element and drops it there; whether the browser was kept from opening it. */
const DROP = (selector: string) => `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['name,category\\nDropped,7\\n'], 'dropped.csv'))
  return ['dragover', 'drop'].map(type => {
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
    document.querySelector('${selector}').dispatchEvent(event)
    return event.defaultPrevented
  })
})()`
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.innerText || document.activeElement.tagName')

const small = withConsole(suite)

test('the focus is on the file, stays in the sheet, and a file can be dropped anywhere, or replaces no page', async () => {
  const page = await open()
  await sheet(page).waitFor()
  const choosing = page.waitForEvent('filechooser')
  expect(await focused(page)).toBe('Choose a file')
  await page.keyboard.press('Enter')
  await (await choosing).setFiles({
    name: 'a.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,category\nFocused,7\n'),
  })
  await heading(page, /^1 animal to add/)
  expect(await focused(page)).toStartWith('1 animal to add')
  const choosingAnother = page.waitForEvent('filechooser')
  await button(page, 'Choose another file').focus()
  await page.keyboard.press('Enter')
  await choosingAnother
  // This event also reaches the sheet around the field.
  await page.locator('input[type=file]').dispatchEvent('cancel')
  expect(await focused(page)).toBe('Choose another file')
  const closed = await small.openSignedIn('/')
  await closed.locator('h1').waitFor()
  expect(await closed.evaluate<boolean[]>(DROP('h1'))).toEqual([true, true])
  for (const place of ['.sheet-head', '.tile', 'body', 'h1']) {
    expect(await page.evaluate<boolean[]>(DROP(place))).toEqual([true, true])
    await heading(page, /dropped.csv/)
    await chooseFile(page, 'a.csv', 'name,category\nFocused,7\n')
    await heading(page, /a.csv/)
  }
  await button(page, 'Add 1 animal').focus()
  await page.keyboard.press('Enter')
  await heading(page, /^1 animal was added/)
  expect(await focused(page)).toBe('Show the 1 in the list')
})

test.each([[390], [1280]])('axe finds nothing in any stage, %d pixels wide', async width => {
  const page = await small.openSignedIn('/#import', {
    viewport: { width, height: 800 },
    hasTouch: width === 390,
  })
  const letGo = await holdAdditions(page)
  const look = async (state: string) => {
    await expectAccessible(page, ['light', 'dark'], `${state}, ${width}`)
    if (width === 390) expect(await tooSmall(page)).toEqual([])
    const overflows =
      'document.querySelector(".sheet-body").scrollWidth > document.querySelector(".sheet-body").clientWidth'
    expect([state, await page.evaluate(overflows)]).toEqual([state, false])
  }
  await sheet(page).waitFor()
  await look('no file')
  await chooseBytes(page, 'old.csv', Buffer.from('Name;Category\r\nRené;7\r\n', 'latin1'))
  await heading(page, 'Does this look right?')
  await look('question')
  await chooseFile(
    page,
    'animals.csv',
    `name,category\n${'W'.repeat(250)}${width},7\nAxe ${width},Newts\nAxe,\nAxe ${width},7\n`,
  )
  await look('preview')
  await button(page, 'Add 2 animals').click()
  await heading(page, /^Adding animals/)
  await look('running')
  await button(page, 'Pause').click()
  await heading(page, /^Paused/)
  await look('paused')
  letGo()
  await button(page, 'Resume').click()
  await heading(page, /added, 2 refused/)
  await look('done')
})
