import type { Command } from 'commander'
import { EXIT_CODES } from '../exit-codes.ts'
import { printable, table } from './terminal.ts'

const WIDTH = 80

/** What to type after the program's name, for every command that does something itself. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve', 'serve --env staging --port 8081', 'serve --check'],
  'keys create': ['keys create --name "shop front" --expires 90d', 'keys create --name ci --json'],
  'keys list': ['keys list', 'keys list --json'],
  'keys revoke': ['keys revoke "shop front"', 'keys revoke key_26b280cce755 --yes'],
  'pets list': ['pets list --status available', 'pets list --all --json'],
  'pets get': ['pets get 7'],
  'pets add': ['pets add Rex --category-id 7', 'pets add Bo --category-id 3 --idempotency-key order-4711'],
  'pets import': ['pets import animals.csv --dry-run', 'pets import animals.ndjson --yes'],
  'pets export': ['pets export animals.csv', 'pets export - --format csv'],
  demo: ['demo --env staging'],
  copy: ['copy --from sqlite:data/production.db --to postgres://localhost/pets'],
  backup: ['backup animals.db', 'backup - | gzip > animals.db.gz'],
  restore: ['restore animals.db', 'restore animals.db --force'],
  doctor: ['doctor', 'doctor --json'],
  ready: ['ready', 'ready --port 8081'],
}

interface NamedCommand {
  /** Its words after the program's name: `keys create`. Empty for the program itself. */
  readonly path: string
  readonly command: Command
}

/** The program, its commands and theirs, in the order of --help. */
export const commandsIn = (command: Command, path = ''): NamedCommand[] => [
  { path, command },
  ...command.commands.flatMap(child => commandsIn(child, `${path} ${child.name()}`.trim())),
]

/** A group of commands shows the first example of each. */
const examplesOf = (path: string): readonly string[] =>
  EXAMPLES[path] ??
  Object.entries(EXAMPLES)
    .filter(([other]) => other.startsWith(path))
    .flatMap(([, examples]) => examples.slice(0, 1))

/** Fits terminals of 80 columns, also where commander would use more. */
export const helpWidth = (): number => Math.min(process.stdout.columns || WIDTH, WIDTH)

/** `help keys create`, examples in every help, and the exit codes in that of the program. */
export function addHelp(root: Command): void {
  root
    .command('help')
    .description('show the help of a command')
    .argument('[command...]', 'such as keys create')
    .action((words: string[]) => {
      const found = commandsIn(root).find(({ path }) => path === words.join(' '))
      return found ? found.command.help() : root.help({ error: true })
    })
  root.addHelpText('afterAll', ({ error }) => (error ? '\npetstore: Name one of these commands.' : ''))
  for (const { path, command } of commandsIn(root)) {
    command.helpCommand(false)
    checkRequiredLast(command)
    const examples = examplesOf(path).map(words => `  petstore ${words}\n`)
    if (path !== 'help') command.addHelpText('after', () => `\nExamples:\n${examples.join('').trimEnd()}`)
  }
  root.addHelpText('after', () => `\nExit codes:\n${exitCodes()}`)
}

/** commander would report a missing flag before the misspelled one that explains why it is missing. */
function checkRequiredLast(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory)
  for (const option of required) {
    option.mandatory = false
    option.description += '; required'
  }
  command.hook('preAction', () => {
    const missing = required.find(option => command.getOptionValue(option.attributeName()) === undefined)
    if (missing) command.error(`error: required option '${missing.flags}' not specified`)
  })
}

const exitCodes = (): string => {
  const [first = [], ...rest] = Object.values(EXIT_CODES).map(({ code, meaning }) => [`  ${code}`, meaning])
  return table(first, rest, { width: Number.POSITIVE_INFINITY }).trimEnd()
}

/** An error of the command-line parser as one line, like every other error. */
export function usageError(text: string): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    // Not `\s*\n`, which starts over at every blank.
    .split('\n')
    .map(part => part.trim())
    .join(' ')
    // A value may be a secret that was given to a misspelled flag.
    .replace(/^(unknown option '-[^=']*)=.*?'(?= \(|$)/s, "$1'")
    .replace(/ ?\(Did you mean ([^()]+)\?\)$/, '. Did you mean $1?')
  const sentence = line.charAt(0).toUpperCase() + line.slice(1)
  return `petstore: ${printable(sentence.replace(/[^.?]$/, '$&.'))} --help shows what there is.\n`
}
