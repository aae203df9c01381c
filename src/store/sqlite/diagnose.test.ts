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
  ['tmpfs', 'advice', { type: 0x01021994 }],
  ['ramfs', 'advice', { type: 0x858458f6 }],
  ['255 MiB', 'fail', { bavail: 255 * 256 }],
  ['256 MiB', 'ok', { bavail: 256 * 256 }],
] as const)(
  'a disk in memory, or with less than 256 MiB free, is reported; %s: %s',
  (_what, level, known) => {
    const disk = { ...fs.statfsSync('/'), type: 0xef53, bsize: 4096, bavail: 2 ** 30, ...known }
    spyOn(fs, 'statfsSync').mockReturnValue(disk)
    expect(levelOf('disk', freshDatabase())).toBe(level)
  },
)

test.each([
  ['600', 'ok'],
  ['640', 'advice'],
  ['604', 'advice'],
] as const)('a file that other users may open is reported; mode %s: %s', (mode, level) => {
  const location = freshDatabase()
  fs.chmodSync(location.path, Number.parseInt(mode, 8))
  expect(levelOf('privacy', location)).toBe(level)
})

test('a full disk fails the check, and is the reason given if a backup or a new database cannot be used on it', () => {
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
