import { commandLine, environmentWith, type Variables } from '../service/process.ts'

export interface Shown {
  readonly code: number
  /** Everything sent to the terminal, including control characters. */
  readonly text: string
}

/** What a person types once the terminal shows a text. */
export interface Reply {
  readonly to: string
  readonly with: string
}

/** Runs a command of the real program in a terminal, like a person. */
export async function inTerminal(
  args: readonly string[],
  variables: Variables = {},
  reply?: Reply,
): Promise<Shown> {
  const decoder = new TextDecoder()
  let text = ''
  let isAnswered = false
  const child = Bun.spawn(commandLine(...args), {
    env: environmentWith({ TERM: 'xterm', ...variables }),
    terminal: {
      cols: 100,
      rows: 30,
      data: (terminal, chunk) => {
        text += decoder.decode(chunk, { stream: true })
        if (reply === undefined || isAnswered || !text.includes(reply.to)) return
        isAnswered = true
        terminal.write(reply.with)
      },
    },
  })
  const code = await child.exited
  child.terminal?.close()
  return { code, text }
}

/** The lines left on the screen, each as last drawn. */
export const linesLeft = ({ text }: Shown): string[] =>
  text
    .replaceAll('\x1b[K', '')
    .split(/\r*\n/)
    .map(line => line.split('\r').at(-1) ?? '')
