import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { needs } from '../support/programs/needs.ts'
import { petstore } from '../support/service/cli.ts'
import { freshFolder } from '../support/service/folder.ts'

/** The typed line, and the completions offered for it. Files are those of the folder. */
const CASES: [line: string, offered: string[]][] = [
  ['petstore ba', ['backup']],
  ['petstore keys ', ['create', 'list', 'revoke', '--help']],
  ['petstore keys re', ['revoke']],
  ['petstore pets list --st', ['--status']],
  ['petstore pets list --status ', ['available', 'pending', 'sold']],
  ['petstore serve --env sta', ['staging']],
  ['petstore serve --port 9000 --log-level w', ['warn']],
  ['petstore completion ', ['bash', 'fish', 'zsh', '--help']],
  ['petstore explain pet_', ['pet_not_found']],
  [
    'petstore explain in',
    ['internal_error', 'invalid_api_key', 'invalid_body', 'invalid_idempotency_key', 'invalid_query'],
  ],
]

let folder: string
const script = (shell: string): string => join(folder, `petstore.${shell}`)

beforeAll(async () => {
  folder = await freshFolder()
  await mkdir(join(folder, 'files'))
  await Bun.write(join(folder, 'files/my animals.db'), '')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await petstore(['completion', shell])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await Bun.write(script(shell), stdout)
  }
})

const words = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .toSorted()

function run(...command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command, {
    cwd: join(folder, 'files'),
    env: { ...process.env, HOME: folder, TERM: 'dumb' },
  })
  expect(stderr.toString()).toBe('')
  return stdout.toString()
}

describe('completion for bash', () => {
  /** Calls the function registered for the command, as readline does. */
  const offered = (line: string): string[] =>
    words(
      run(
        'bash',
        '--norc',
        '-c',
        `source "$1"; COMP_WORDS=($2); [[ $2 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
         compopt() { echo "files"; }; [[ $(complete -p petstore) == 'complete -F _petstore petstore' ]] && _petstore
         printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        script('bash'),
        line,
      ),
    )

  test.each(CASES)('"%s"', (line, expected) => {
    expect(offered(line)).toEqual(expected.toSorted())
  })

  test('files are left to bash', () => {
    expect(offered('petstore backup ')).toEqual(['files'])
    expect(offered('petstore serve --tls-cert x')).toEqual(['files'])
  })

  test('works in a real shell, with a value behind the sign and by a path', async () => {
    const typed = 'unset PROMPT_COMMAND; PS1=; source petstore.bash; ./petstore() { echo "<$*>"; }'
    let text = ''
    const decoder = new TextDecoder()
    const shell = Bun.spawn(['bash', '--norc', '--noprofile', '-i'], {
      cwd: folder,
      env: { ...process.env, HOME: folder, TERM: 'dumb' },
      terminal: {
        cols: 200,
        rows: 30,
        data: (_, chunk) => (text += decoder.decode(chunk, { stream: true })),
      },
    })
    for (const line of [
      typed,
      './petstore serve --log-level=wa\t',
      './petstore dep\t',
      './petstore restore files/my\t',
      'exit',
    ])
      shell.terminal?.write(`${line}\n`)
    await shell.exited
    shell.terminal?.close()
    expect(text).toContain('<serve --log-level=warn>')
    expect(text).toContain('<deprecations>')
    expect(text).toContain('<restore files/my animals.db>')
  })
})

describe('completion for zsh', () => {
  const zsh = needs('zsh')

  zsh.test('is understood by zsh and registers itself for the command', () => {
    run('zsh', '-n', script('zsh'))
    const registered = run(
      'zsh',
      '-f',
      '-c',
      'autoload -U compinit; compinit -u -D; source $1; print $_comps[petstore]',
      'zsh',
      script('zsh'),
    )
    expect(registered).toBe('_petstore\n')
  })

  /** zsh completes nothing without a terminal, so the test captures what it would offer. */
  zsh.test.each(CASES)('"%s"', (line, expected) => {
    const catching = `
      source $1
      _describe() { local entry; for entry in "\${(@P)2}"; do [[ \${entry%%:*} == $PREFIX* ]] && print -r -- "\${entry%%:*}"; done; }
      compadd() { local entry; shift; for entry; do [[ $entry == $PREFIX* ]] && print -r -- $entry; done; }
      words=(\${=2}); [[ $2 == *' ' ]] && words+=(''); CURRENT=$#words; PREFIX=$words[-1]; _petstore; true`
    expect(words(run('zsh', '-f', '-c', `compdef() {}; ${catching}`, 'zsh', script('zsh'), line))).toEqual(
      expected.toSorted(),
    )
  })
})

describe('completion for fish', () => {
  const fish = needs('fish')
  const offered = (line: string): string[] =>
    words(
      run('fish', '--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script('fish'), line)
        .split('\n')
        .map(found => found.split('\t')[0] ?? '')
        .join('\n'),
    )

  fish.test.each(CASES)('"%s"', (line, expected) => {
    // fish offers flags only after the user has typed the start of one.
    expect(offered(line)).toEqual(
      expected.filter(word => !word.startsWith('--') || line.includes('--')).toSorted(),
    )
  })

  fish.test('files', () => {
    expect(offered('petstore backup my')).toEqual(['my animals.db'])
    expect(offered('petstore keys list my')).toEqual([])
  })
})

test('another shell is refused with one sentence', async () => {
  expect(await petstore(['completion', 'tcsh'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "petstore: Command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish. --help shows what there is.\n",
  })
})
