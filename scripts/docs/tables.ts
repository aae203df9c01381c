import { fileVariable } from '../../src/config/secret-file.ts'
import { SETTINGS, type Setting } from '../../src/config/settings.ts'
import { ERROR_CODES, ERRORS } from '../../src/contract/errors.ts'
import { explain } from '../../src/contract/explain.ts'
import { METRICS } from '../../src/observability/metrics/catalogue.ts'

export const NOTE = '<!-- Made from the code by `npm run docs`. Change the code, not this page. -->\n'

export const row = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |\n`

/** A bar would end the cell, and outside of code `<path>` would be taken for HTML. */
const cellText = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll(/`[^`]*`|</g, found => (found === '<' ? '&lt;' : found))

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row).join('')

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

export function settingsReference(): string {
  const settings = Object.values<Setting>(SETTINGS)
  const files = settings
    .filter(({ mayBeFile }) => mayBeFile)
    .map(({ variable }) => `\`${fileVariable(variable)}\``)
  const rows = settings.map(({ variable, flag, argument, fallback, about }) => [
    `\`${variable}\``,
    `\`${flag} ${argument}\``,
    fallback === undefined ? '' : `\`${fallback}\``,
    sentence(about),
  ])
  return `${NOTE}
# Settings

Each setting is an environment variable and a flag of \`petstore serve\`. The flag wins over the variable, and the variable over
the default. An empty variable counts as unset. A bad value stops the start with one sentence that names the setting.

${files.join(' and ')} name a file that holds the value, for secrets that an orchestrator mounts. A line break at the end of the
file is left out. To set both the value and its file is an error.

\`petstore doctor\` shows the settings in force and where each came from. \`petstore serve --check\` says whether they are valid.

${tableOf(['Variable', 'Flag', 'Default', 'Meaning'], rows)}`
}

export function errorsReference(): string {
  const rows = ERROR_CODES.map(explain).map(({ code, status, meaning, example }) => [
    String(status),
    `\`${code}\``,
    meaning,
    example,
  ])
  return `${NOTE}
# Errors

Every failure has the same body: a stable \`code\`, a \`message\` for people, and the HTTP \`status\`.

\`\`\`json
${JSON.stringify({ code: 'pet_not_found', message: explain('pet_not_found').example, status: ERRORS.pet_not_found.status })}
\`\`\`

Decide by \`code\`; the wording of a message may change. A message about invalid input names everything that is wrong at once.

${tableOf(['Status', 'Code', 'When', 'A message'], rows)}`
}

export function metricsReference(): string {
  const rows = Object.entries(METRICS).map(([name, { type, labels, help }]) => [
    `\`${name}\``,
    type,
    labels.map(label => `\`${label}\``).join(', '),
    help,
  ])
  return `${NOTE}
# Metrics

Served at \`/metrics\` in Prometheus' text format, on the port that \`PETSTORE_METRICS_PORT\` names and nowhere else. Those of the
pools are there on PostgreSQL only. No metric holds a key or text of a client. [How to watch it](../how-to/watch-it.md) says how
to use them.

${tableOf(['Metric', 'Type', 'Labels', 'Meaning'], rows)}`
}
