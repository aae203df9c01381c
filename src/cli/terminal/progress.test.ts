import { expect, test } from 'bun:test'
import { Progress, type Screen } from './progress.ts'

function screen(isTTY: boolean): Screen & { text: string } {
  return {
    isTTY,
    columns: 60,
    text: '',
    write(text) {
      this.text += text
    },
  }
}

test('a terminal shows a bar that redraws its own line and ends complete', () => {
  const terminal = screen(true)
  const progress = new Progress('Copying', 'records', 4000, terminal)
  progress.advance(1000)
  progress.advance(3000)
  progress.end()
  const states = terminal.text.split('\r')
  expect(states[1]).toContain('[######..................]  25 %  1,000 records')
  expect(states.at(-1)).toContain('[########################] 100 %  4,000 records')
  expect(terminal.text.match(/\n/g)).toHaveLength(1)
})

test('no line is wider than the terminal, since a wrapped one could not be redrawn', () => {
  const terminal = screen(true)
  new Progress('Copying '.repeat(20), 'records', 4000, terminal).advance(1)
  expect(Bun.stringWidth(terminal.text)).toBeLessThan(60)
})

test('a log gets nothing from what is quickly done', () => {
  const log = screen(false)
  const progress = new Progress('Copying', 'records', 2, log)
  progress.advance(1)
  progress.advance(1)
  progress.end()
  expect(log.text).toBe('')
})

test('where the total is not known, the count is shown without a bar', () => {
  const terminal = screen(true)
  new Progress('Importing', 'animals', undefined, terminal).advance(4096, 70)
  expect(terminal.text).toContain('Importing  70 animals')
})

test('nothing to do is all done', () => {
  const terminal = screen(true)
  new Progress('Copying', 'records', 0, terminal).end()
  expect(terminal.text).toContain('100 %  0 records')
})
