import { expect } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { needs } from '../../support/programs/needs.ts'
import { program } from '../../support/programs/program.ts'
import { freshFolder } from '../../support/service/folder.ts'

const { test } = needs('systemd-analyze')

const UNIT = join(import.meta.dir, '../../../deploy/petstore.service')

const analyze = (...args: string[]) => spawnSync(program('systemd-analyze'), args, { encoding: 'utf8' })

test('systemd finds little to hold against the unit: exposure at most 1.5 of 10', () => {
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=15', '--no-pager', UNIT)
  expect(stdout).toMatch(/Overall exposure level for petstore\.service: 1\.\d OK/)
  expect(status).toBe(0)
})

test('systemd understands every line of the unit', async () => {
  const copy = join(await freshFolder(), 'petstore.service')
  await writeFile(copy, (await readFile(UNIT, 'utf8')).replaceAll('/usr/local/bin/petstore', '/bin/true'))
  const { status, stdout, stderr } = analyze('verify', copy)
  expect(stdout + stderr).not.toContain('petstore.service')
  expect(status).toBe(0)
})

test('the unit goes on trying for as long as its database cannot be reached', async () => {
  const [unit = '', service = ''] = (await readFile(UNIT, 'utf8')).split(/^\[Service\]$/m)
  expect(unit.split('\n')).toContain('StartLimitIntervalSec=0')
  expect(service.split('\n')).toContain('Restart=on-failure')
})
