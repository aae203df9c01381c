import { expect } from 'bun:test'
import { needs } from '../../support/programs/needs.ts'
import { program } from '../../support/programs/program.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { ReferenceSamples } from './reference-samples.ts'

const { afterAll, beforeAll, test } = needs('curl', 'python3')

let service: ServiceProcess
let samples: ReferenceSamples
beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  samples = await ReferenceSamples.of(service)
})
afterAll(async () => expect(await service.stop()).toBe(0))

// `npm run interop` runs the Go samples: a compiler is a large install for six short programs.
const LANGUAGES: [string, string, (path: string) => string[]][] = [
  ['curl', 'sample.sh', path => ['sh', '-e', path]],
  ['typescript', 'sample.ts', path => [process.execPath, path]],
  ['python', 'sample.py', path => [program('python3'), path]],
]
test.each(LANGUAGES)('the samples in %s run as they are copied', (language, file, command) =>
  samples.run(language, file, command),
)
