import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { backUpSqlite } from './backup.ts'
import { diagnoseSqlite } from './diagnose.ts'
import { openFile } from './open.ts'

const locationIn = (name: string) =>
  ({
    path: join(fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'petstore-')), name),
    environment: 'production',
  }) as const

function freshDatabase() {
  const location = locationIn('animals.db')
  openFile(location, true).close()
  return location
}

const levelOf = (wanted: string, location: ReturnType<typeof locationIn>) =>
  diagnoseSqlite(location).findings.find(({ topic }) => topic === wanted)?.level
afterEach(() => mock.restore())

test.each([
  ['tmpfs', { type: 0x01021994 }, 'advice'],
  ['ramfs', { type: 0x858458f6 }, 'advice'],
  ['255 MiB', { bavail: 255 * 256 }, 'fail'],
  ['256 MiB', { bavail: 256 * 256 }, 'ok'],
] as const)(
  'a disk that loses what it has, or has less than 256 MiB left, is told of: %s',
  (_what, known, level) => {
    const disk = { ...fs.statfsSync('/'), type: 0xef53, bsize: 4096, bavail: 2 ** 30, ...known }
    spyOn(fs, 'statfsSync').mockReturnValue(disk)
    expect(levelOf('disk', freshDatabase())).toBe(level)
  },
)

test.each([
  [0o600, 'ok'],
  [0o640, 'advice'],
  [0o604, 'advice'],
] as const)('a file that any other user may open is told of: mode %i', (mode, level) => {
  const location = freshDatabase()
  fs.chmodSync(location.path, mode)
  expect(levelOf('privacy', location)).toBe(level)
})

test('a full disk fails, also as the reason why a backup or a new database could not be used on it', () => {
  const [used, restored, none] = [freshDatabase(), locationIn('restored.db'), locationIn('new/none.db')]
  backUpSqlite(used, { file: restored.path, force: false })
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw full
  })
  for (const location of [used, restored, none]) expect(levelOf('disk', location)).toBe('fail')
  const failures = [used, restored, none].map(location => String(diagnoseSqlite(location).failure))
  const reason = (path: string) => expect.stringContaining(`${path} is on a disk without free space`)
  expect(failures).toEqual(['undefined', reason(restored.path), reason(dirname(none.path))])
})
