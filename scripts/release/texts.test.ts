import { expect, test } from 'bun:test'
import {
  hasNotes,
  isVersion,
  releasedChangelog,
  unreleasedNotes,
  withClientVersion,
  withVersion,
} from './texts.ts'

const CHANGELOG =
  '# Changelog\n\n## [1.1.0] - Unreleased\n\n### Added\n\n- A\n\n## [1.0.0] - 2026-11-15\n\n- B\n'

test('a version has three numbers', () => {
  expect(['1.0.0', '10.20.30', '1.0', 'v1.0.0', '1.0.0-rc.1'].map(isVersion)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test('the version is set wherever the project names its own, and nowhere else', () => {
  const lock = {
    name: 'p',
    version: '1.0.0',
    packages: { '': { version: '1.0.0' }, 'node_modules/a': { version: '1.0.0' } },
  }
  expect(JSON.parse(withVersion(JSON.stringify(lock), '1.1.0'))).toEqual({
    ...lock,
    version: '1.1.0',
    packages: { '': { version: '1.1.0' }, 'node_modules/a': { version: '1.0.0' } },
  })
})

test('the notes of a release are those under its heading, which gets a date', () => {
  expect(unreleasedNotes(CHANGELOG, '1.1.0')).toBe('### Added\n\n- A')
  expect(unreleasedNotes(CHANGELOG, '1.0.0')).toBeUndefined()
  expect(unreleasedNotes('## [1.1.0] - Unreleased\n\n', '1.1.0')).toBeUndefined()
  expect(releasedChangelog(CHANGELOG, '1.1.0', '2026-12-01')).toContain(
    '## [1.1.0] - 2026-12-01\n\n### Added',
  )
})

test('a release of the client needs notes, and tells its version', () => {
  expect(hasNotes('# Changelog\n\n## 1.1.0\n\n- more\n\n## 1.0.0\n', '1.1.0')).toBe(true)
  expect(hasNotes('# Changelog\n\n## 1.1.0\n\n## 1.0.0\n\n- first\n', '1.1.0')).toBe(false)
  expect(hasNotes('# Changelog\n\n## 1.0.0\n\n- first\n', '1.1.0')).toBe(false)
  expect(withClientVersion("export const VERSION = '1.0.0'\n", '1.1.0')).toBe(
    "export const VERSION = '1.1.0'\n",
  )
})
