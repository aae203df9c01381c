import { expect, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginDraft, createPrivateFolder } from './files.ts'

const draftIn = (replace: boolean) => {
  const target = join(fs.mkdtempSync(join(tmpdir(), 'petstore-test-')), 'file')
  return { target, draft: beginDraft(target, { replace }) }
}

test('a file that has appeared since the draft began is replaced only on purpose', () => {
  for (const replace of [false, true]) {
    const { target, draft } = draftIn(replace)
    fs.writeFileSync(draft.path, 'ours')
    fs.writeFileSync(target, 'theirs')
    if (replace) draft.publish()
    else expect(() => draft.publish()).toThrow('already exists')
    expect(fs.readFileSync(target, 'utf8')).toBe(replace ? 'ours' : 'theirs')
    draft[Symbol.dispose]()
  }
})

test('what is no file, such as a device, is not replaced on purpose either', () => {
  expect(() => beginDraft('/dev/null', { replace: true })).toThrow('is not a file')
})

test('a file is on disk before it gets its name, and its folder after that', () => {
  const { target, draft } = draftIn(false)
  const seen: boolean[] = []
  const { fsyncSync } = fs
  const syncing = spyOn(fs, 'fsyncSync').mockImplementation(descriptor => {
    seen.push(fs.fstatSync(descriptor).isDirectory(), fs.existsSync(target))
    fsyncSync(descriptor)
  })
  draft.publish()
  syncing.mockRestore()
  draft[Symbol.dispose]()
  expect(seen).toEqual([false, false, true, true])
})

test('a new folder is on disk, and so are those above it', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'petstore-test-'))
  using opening = spyOn(fs, 'openSync')
  using syncing = spyOn(fs, 'fsyncSync')
  createPrivateFolder(join(folder, 'new', 'deep'))
  expect(opening.mock.calls.map(([path]) => path)).toEqual([folder, join(folder, 'new')])
  expect(syncing).toHaveBeenCalledTimes(2)
})
