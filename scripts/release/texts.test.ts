import { expect, test } from 'bun:test'
import { isVersion, releasedChangelog, unreleasedNotes, withVersion } from './texts.ts'

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
