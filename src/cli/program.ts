import { Command } from 'commander'
import { ENV_FILE, useEnvFile } from '../config/env-file.ts'
import { withoutKeys } from '../keys/api-key.ts'
import { printable } from '../observability/log.ts'
import { EXIT_CODES } from '../operator-error.ts'
import { commit, RELEASE } from '../release.ts'

type AddTo = (root: Command) => void

/** Commands in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<AddTo>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  pets: async () => (await import('./pets.ts')).petsCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  copy: async () => (await import('./copy.ts')).copyCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./backup.ts')).restoreCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  ready: async () => (await import('./ready.ts')).readyCommand,
}

/** Examples for every command that does something itself, without the program's name. */
export const COMMAND_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve', 'serve --env staging --port 8081', 'serve --check'],
  'keys create': ['keys create --name "shop front" --expires 90d', 'keys create --name ci --json'],
  'keys list': ['keys list', 'keys list --json'],
  'keys revoke': ['keys revoke "shop front"', 'keys revoke - --yes < leaked-key.txt'],
  'pets list': ['pets list --status available', 'pets list --all --json'],
  'pets get': ['pets get 7'],
  'pets add': ['pets add Rex --category-id 7', 'pets add Bo --category-id 3 --idempotency-key order-4711'],
  'pets import': ['pets import animals.csv --dry-run', 'pets import animals.ndjson --yes'],
  'pets export': ['pets export animals.csv', 'pets export - | head'],
  demo: ['demo --env staging'],
  copy: ['copy --from sqlite:data/production.db', 'copy --to sqlite:data/new.db'],
  backup: ['backup animals.db', 'backup - | gzip > animals.db.gz'],
  restore: ['restore animals.db', 'restore animals.db --force'],
  doctor: ['doctor', 'doctor --json'],
  ready: ['ready', 'ready --port 8081'],
}

/** The command line, or only the command `name`, because loading all commands takes longer than most of them run. */
export async function program(name = ''): Promise<Command> {
  // To find the commit takes a moment.
  const build = name === '--version' || name === '-V' ? commit() : ''
  const root = new Command('petstore')
    .description('Stores the animals of a pet store and serves them over HTTP.')
    .version(build ? `${RELEASE} (${build})` : RELEASE, '-V, --version', 'print the version and its commit')
    // Commands inherit these when they are added.
    .exitOverride()
    .configureHelp({ helpWidth: 80, showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(usageError(text)) })
    .option('--env-file <file>', `settings, one NAME=value per line (default: ./${ENV_FILE}, if it exists)`)
    .hook('preAction', root => useEnvFile(root.opts().envFile))
    .addHelpText('afterAll', ({ error }) => (error ? '\npetstore: Choose one of these commands.' : ''))
  const wanted = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]] : Object.values(COMMANDS)
  for (const load of wanted) (await load?.())?.(root)
  for (const { path, command } of commandsIn(root)) {
    const examples = COMMAND_EXAMPLES[path]?.map(words => `\n  petstore ${words}`)
    if (examples) command.addHelpText('after', `\nExamples:${examples.join('')}`)
  }
  const exits = Object.values(EXIT_CODES).map(({ code, meaning }) => `\n  ${code}  ${meaning}`)
  return root.addHelpText('after', `\nExit codes:${exits.join('')}`)
}

/** The program, its commands and subcommands, in the order of --help, with their words: `keys create`. */
export const commandsIn = (command: Command, path = ''): { path: string; command: Command }[] => [
  { path, command },
  ...command.commands.flatMap(child => commandsIn(child, `${path} ${child.name()}`.trim())),
]

/** An error from the command-line parser as one line, like every other error. */
function usageError(text: string): string {
  // A value may be a secret that was given to a misspelled flag.
  const flag = process.argv.find(word => /^-.*=/s.test(word) && text.includes(word)) ?? ''
  const line = text
    .replace(flag, () => flag.replace(/=.*/s, ''))
    .trim()
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/ ?\(Did you mean ([^()]+)\?\)$/, '. Did you mean $1?')
  const sentence = line.charAt(0).toUpperCase() + line.slice(1)
  return `petstore: ${withoutKeys(printable(sentence.replace(/[^.?]$/, '$&.')))} See --help.\n`
}
