import { expect, spyOn, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useEnvFile } from './env-file.ts'
import { loadConfig } from './load.ts'

function fileWith(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'petstore-config-')), 'petstore.env')
  writeFileSync(file, text)
  return file
}

test('a file of settings counts where the environment says nothing, and must be there if it is named', () => {
  const file = fileWith('# a comment\nPORT=1\nHOST="0.0.0.0"\nPETSTORE_ENV=staging\n')
  const variables: Record<string, string> = { PORT: '2', PETSTORE_ENV: '' }
  useEnvFile(file, variables)
  expect(loadConfig({}, variables)).toMatchObject({ port: 2, host: '0.0.0.0', environment: 'staging' })
  expect(() => useEnvFile(`${file}.none`, variables)).toThrow('none does not exist (ENOENT)')
})

test.each([
  ['DATABSE_URL=sqlite:x.db', 'line 2: there is no setting DATABSE_URL. Did you mean DATABASE_URL?'],
  ['LOGLEVEL=debug', 'line 2: there is no setting LOGLEVEL. Did you mean LOG_LEVEL?'],
  ...['PETSTORE_FOO', 'PETSTORE_API_KEY', 'NODE_EXTRA_CA_CERTS'].map(name => [
    `${name}=x`,
    `line 2: there is no setting ${name}. Correct its name, or move it to the environment.`,
  ]),
  [
    'PETSTORE_TLS_KEY_FILE=x',
    'line 2: there is no setting PETSTORE_TLS_KEY_FILE. Did you mean PETSTORE_TLS_KEY?',
  ],
  ['export PORT=2', 'line 2: PORT is set a second time. Remove one.'],
  ['DATABASE_URL=postgres://u:a#b@h/db', 'line 2: a value with a # must be in quotes'],
  ["DATABASE_URL=sqlite:o'hara#2.db", 'line 2: a value with a # must be in quotes'],
  ['DATABASE_URL="sqlite:x.db\nHOST=::1\nLOG_LEVEL="warn"', 'line 3: HOST is not read.'],
  ['\u00A0HOST=::1', 'line 2: HOST is not read.'],
  ['s3cret', 'line 2: not a NAME=value line.'],
])('a file of settings with the line %s is refused', (line, sentence) => {
  const file = fileWith(`PORT=1\n${line}\n`)
  expect(() => useEnvFile(file, {})).toThrow(`${file}, ${sentence}`)
})

test('a variable that Kubernetes sets does not hide the setting of the same name', () => {
  const variables = { PETSTORE_METRICS_PORT: 'tcp://10.0.0.1:9090' }
  useEnvFile(fileWith('PETSTORE_METRICS_PORT=9090\n'), variables)
  expect(loadConfig({}, variables).metricsPort).toBe(9090)
})

test.each(['620', '602', '666'])(
  'a file of settings that others can write (%s) is refused, through a symbolic link too',
  mode => {
    const file = fileWith('PORT=1\n')
    symlinkSync(file, `${file}.link`)
    chmodSync(file, Number.parseInt(mode, 8))
    for (const path of [file, `${file}.link`]) {
      const variables = {}
      expect(() => useEnvFile(path, variables)).toThrow(`Other users can write the settings file ${path}.`)
      expect(variables).toEqual({})
    }
    chmodSync(file, 0o644)
    expect(() => useEnvFile(`${file}.link`, {})).not.toThrow()
  },
)

test("a file of settings that another user owns is refused, and root's is not, whoever reads it", () => {
  const file = fileWith('PORT=1\n')
  const [reader, nobody] = [12_345, 65_534]
  if (process.getuid?.() === 0) chownSync(file, nobody, nobody)
  using _user = spyOn(process, 'geteuid').mockReturnValue(reader)
  expect(() => useEnvFile(file, {})).toThrow(/belongs to user \d+\. Change to another folder/)
  // It is read, but has no settings.
  expect(() => useEnvFile('/etc/passwd', {})).toThrow('/etc/passwd, line 1: not a NAME=value line')
})

test('a comment may follow a value, and a # within quotes is part of it', () => {
  const file = fileWith("PORT=1 # one\nDATABASE_URL='sqlite:a#b'\n")
  const variables = {}
  useEnvFile(file, variables)
  expect(variables).toEqual({ PORT: '1', DATABASE_URL: 'sqlite:a#b' })
})

test('a pipe to which nobody writes stands for no settings, and holds up no command', async () => {
  const pipe = `${fileWith('')}.pipe`
  spawnSync('mkfifo', [pipe])
  const read = `(await import('${import.meta.dir}/env-file.ts')).useEnvFile('${pipe}', {})`
  expect(spawnSync(process.execPath, ['-e', read], { timeout: 60_000 }).status).toBe(0)
})

test.each(['/dev/null', '/dev/zero'])('%s, which anybody can write, stands for no settings', device =>
  expect(() => useEnvFile(device, {})).not.toThrow(),
)
