import type { Command } from 'commander'
import { commandName } from '../../command-name.ts'
import { EXIT_CODES } from '../../exit-codes.ts'
import { table } from '../terminal/table.ts'
import { commandsIn } from './command-tree.ts'

/** What to type after the program's name, and what for. */
export type Example = readonly [words: string, purpose: string]

/** For every command that does something itself, by its path. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  serve: [
    ['serve', 'port 8080, animals in data/production.db'],
    ['serve --env staging --port 8081', 'a second service with its own data'],
    ['serve --check', 'only check whether it could start'],
  ],
  'keys create': [
    ['keys create --name "shop front" --expires 90d', 'a key that expires'],
    ['keys create --name ci --json', 'with its id, for a script'],
  ],
  'keys list': [
    ['keys list', 'names, last uses and states, never a secret'],
    ['keys list --json', 'for a script'],
  ],
  'keys revoke': [
    ['keys revoke "shop front"', 'by name, if only one valid key has it'],
    ['keys revoke key_26b280cce755 --yes', 'by id, without confirmation'],
  ],
  deprecations: [
    ['deprecations', 'who still calls deprecated operations'],
    ['deprecations --json', 'for a script'],
  ],
  'pets list': [
    ['pets list --status available', 'the first 20 that are available'],
    ['pets list --all --json', 'every animal, one JSON object per line'],
  ],
  'pets get': [['pets get 7', 'one animal']],
  'pets add': [
    ['pets add Rex --category-id 7', 'add an animal'],
    [
      'pets add Bo --category-id 3 --status sold --idempotency-key order-4711',
      'adds it once, however often it runs',
    ],
  ],
  'pets import': [
    ['pets import animals.csv --dry-run', 'only check the file'],
    ['pets import animals.ndjson --yes', 'add its animals without confirmation'],
    ['pets import animals.json --base-url https://pets.example.org/v1', 'into a server, over HTTP'],
  ],
  'pets export': [
    ['pets export animals.csv', 'every animal, into a file'],
    ['pets export - --format json', 'to standard output'],
  ],
  demo: [['demo --env staging', 'sample animals']],
  copy: [['copy --from sqlite:data/production.db --to postgres://localhost/pets', 'move to PostgreSQL']],
  backup: [
    ['backup animals.db', 'even while the service runs'],
    ['backup animals.db --force --json', 'from a script, replacing the last one'],
  ],
  restore: [
    ['restore animals.db', 'where there is no database yet'],
    ['restore animals.db --force', 'replace the database, which is kept under another name'],
  ],
  doctor: [
    ['doctor', 'settings, database, keys, backups, service'],
    ['doctor --json', 'for a script'],
  ],
  ready: [
    ['ready', 'for the health check of a container'],
    ['ready --port 8081', 'of the service on another port'],
  ],
  openapi: [['openapi > openapi.json', 'the description as a file']],
  completion: [
    ['completion bash', 'source <(…) of it in ~/.bashrc'],
    ['completion zsh', 'source <(…) of it in ~/.zshrc, after compinit'],
    ['completion fish > ~/.config/fish/completions/petstore.fish', 'for every new fish'],
  ],
  version: [['version --json', 'with the versions of runtime and interface']],
}

/** Adds examples to every help, and the exit codes to that of the program. */
export function addExamples(root: Command): void {
  // Shown where no command was named, or `help` was given an unknown one.
  root.addHelpText('afterAll', ({ error }) => (error ? '\npetstore: Name one of these commands.' : ''))
  for (const { path, command } of commandsIn(root)) {
    command.addHelpText('after', () => `\nExamples:\n${indented(exampleTable(path))}`)
    if (path === '') command.addHelpText('after', () => `\nExit codes:\n${indented(exitCodeTable())}`)
  }
}

/** A group of commands shows the first example of each. */
export const examplesOf = (path: string): readonly Example[] =>
  EXAMPLES[path] ??
  Object.entries(EXAMPLES)
    .filter(([other]) => other.startsWith(path))
    .flatMap(([, examples]) => examples.slice(0, 1))

const exampleTable = (path: string): string =>
  rows(examplesOf(path).map(([words, purpose]) => [`${commandName()} ${words}`, `# ${purpose}`]))

const exitCodeTable = (): string =>
  rows(Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning]))

const rows = ([first = [], ...rest]: readonly (readonly string[])[]): string => table(first, rest)

const indented = (text: string): string => text.trimEnd().replaceAll(/^/gm, '  ')
