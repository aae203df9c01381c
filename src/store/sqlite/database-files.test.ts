import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { backUpSqlite, restoreSqlite } from './backup.ts'
import { fillSqlite } from './copy.ts'
import { assertInPlace, openedFiles, refuseReadOnly, troubleOf } from './database-files.ts'
import { openFile } from './open.ts'

const freshPath = (): string =>
  join(fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'petstore-')), 'animals.db')
const failure = (code: string): Error => Object.assign(new Error(code), { code })
afterEach(() => mock.restore())

test.each([
  ['EROFS', 'disk-read-only'],
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
  ['EIO', 'failing'],
] as const)('a disk that refuses 128 KiB with %s is %s, and nothing is left on it', (code, trouble) => {
  const path = freshPath()
  const writing = spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw failure(code)
  })
  expect(troubleOf(failure('EIO'), path)).toBe(trouble)
  expect(Object(writing.mock.calls[0]?.[1]).length).toBe(128 * 1024)
  expect(fs.readdirSync(dirname(path))).toEqual([])
})

const PARTS = ['', '-wal', '-shm']

test.each(PARTS)('a database whose file "%s" is gone says whether a restart helps', part => {
  const path = freshPath()
  for (const each of PARTS) fs.writeFileSync(path + each, 'x')
  const files = openedFiles(path)
  fs.rmSync(path + part)
  const advice = part === '' ? 'Do not restart it before that file is back' : 'Restart the service'
  const unavailable = { trouble: 'files-gone', cause: expect.stringContaining(advice) }
  expect(() => assertInPlace(files)).toThrow(expect.objectContaining(unavailable))
})

test('a database whose link leads to another file is gone', () => {
  const [path, other] = [freshPath(), freshPath()]
  const link = `${path}.link`
  for (const each of PARTS) for (const file of [path, other]) fs.writeFileSync(file + each, 'x')
  fs.symlinkSync(path, link)
  const files = openedFiles(link)
  assertInPlace(files)
  fs.rmSync(link)
  fs.symlinkSync(other, link)
  expect(() => assertInPlace(files)).toThrow(expect.objectContaining({ trouble: 'files-gone' }))
})

test.each([...PARTS, '/..'])('a database that is read-only at "%s" is refused', part => {
  const path = freshPath()
  const closed = join(path + part)
  spyOn(fs, 'accessSync').mockImplementation(file => {
    throw failure(file === closed ? 'EACCES' : 'ENOENT')
  })
  expect(() => refuseReadOnly(path)).toThrow('EACCES')
})

test("root makes no file in another user's folder, nor in one below it that does not exist yet", async () => {
  const [own, other] = [freshPath(), freshPath()]
  openFile({ path: own, environment: 'production' }, true).close()
  const { statSync } = fs
  spyOn(fs, 'statSync').mockImplementation(((path: fs.PathLike, options: fs.StatSyncOptions) => {
    const found = statSync(path, options)
    return found && Object.assign(found, { uid: path === dirname(other) ? 65_534 : 0 })
  }) as never)
  spyOn(process, 'geteuid').mockReturnValue(0)
  for (const path of [other, join(dirname(other), 'new', 'animals.db')]) {
    const [from, to] = [own, path].map(path => ({ path, environment: 'production' }) as const) as [
      never,
      never,
    ]
    const mark = { role: 'target', other: own } as const
    for (const make of [
      () => openFile(to, true),
      () => backUpSqlite(from, { file: path, force: false }),
      () => restoreSqlite(to, { file: own, force: false, nextId: undefined }),
      () => fillSqlite(to, mark, async () => {}),
    ])
      await expect((async () => make())()).rejects.toThrow(/belongs to user 65534\. Run this as that user\.$/)
  }
  expect(fs.readdirSync(dirname(other))).toEqual([])
})
