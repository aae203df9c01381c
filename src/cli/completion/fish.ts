import { type Flag, pathsOf, type Value, type Words } from './words.ts'

export const fishCompletion = (all: readonly Words[]): string => `# fish completion for petstore
function __petstore_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l known (string trim -- "$at $word")
        contains -- $known ${pathsOf(all).map(quoted).join(' ')}; and set at $known
    end
    test "$at" = "$argv[1]"
end
complete -c petstore -f
${all.flatMap(linesOf).join('\n')}
`

function linesOf({ path, commands, flags, argument }: Words): string[] {
  const here = `complete -c petstore -n ${quoted(`__petstore_at ${quoted(path)}`)}`
  return [
    ...commands.map(({ word, about }) => `${here} -a ${word} -d ${quoted(about)}`),
    ...flags.map(flag => `${here} ${flagText(flag)}`),
    ...(argument === 'any' || argument === 'none' ? [] : [`${here} ${offer(argument)}`]),
  ]
}

const flagText = ({ word, about, value }: Flag): string =>
  [`-l ${word.slice(2)}`, `-d ${quoted(about)}`, ...(value === 'none' ? [] : [`-r ${offer(value)}`])].join(
    ' ',
  )

function offer(value: Value): string {
  if (value === 'file') return '-F'
  return Array.isArray(value) ? `-f -a ${quoted(value.join(' '))}` : '-f'
}

/** In fish a backslash escapes within single quotes too. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
