import { expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { highlighted } from './highlight.ts'

const { document } = new Window()

/** The code with each coloured part in brackets, after its class. */
function marked(...code: Parameters<typeof highlighted>): string {
  document.body.innerHTML = highlighted(...code).text
  for (const part of document.querySelectorAll('span'))
    part.textContent = `‹${part.className} ${part.textContent}›`
  return document.body.textContent
}

test.each([
  [
    'json',
    '{‹k "id"›: ‹n -1.5›, ‹k "a\\"b"›: ‹s "c: \\\\"›, ‹k "d"›: [‹n true›, ‹n false›, ‹n null›, ‹s "<i>"›]}',
  ],
  ['curl', `‹m # It's "one"›\ncurl ‹f -sS› ‹f --get› ‹s 'a#1 "b'› \\\n  ‹f -H› ‹s "it's $KEY"›\na#b ‹m # c›`],
  ['curl', '‹k while› x; ‹k do› rm-r ‹n 1›; ‹k done› /in /do v1 10'],
  ['curl', '‹k for› n ‹k in› ‹n 1› ‹n 2›; ‹k do› a-‹n $$›; ‹k case› ‹n $n› ‹k in› b) ;; ‹k esac›'],
  [
    'typescript',
    `‹k import› { a } ‹k from› ‹s 'b//c'› ‹m // it's 1›\n‹k const› if1 = ‹k new› Constant<b>(‹n 1.5›, ‹n -2›, x.3)<i>`,
  ],
  [
    'typescript',
    `‹k for› ‹k await› (‹k const› roof ‹k of› of1) ‹k if› (y ‹k instanceof› Z) ‹k try› {} ‹k catch› {} ‹k throw› ‹s "\\""›`,
  ],
  ['python', `‹k import› a ‹m # it's 1›\n‹k from› b ‹k import› c\n‹k with› d(‹s 'it\\'s # "'›) ‹k as› e:`],
  [
    'python',
    `‹k for› begin ‹k in› g: ‹k while› ‹n 1› ‹k and› x2: ‹k try›: h // i ‹k except› J: information(‹s "a\\"b"›)`,
  ],
  [
    'go',
    '‹k package› main ‹m // "1"›\n‹k import› ‹s "net//http"›\n‹k const› a = ‹s "\\""›\n‹k var› b ‹k map›[‹k string›]‹k any›',
  ],
  ['go', '‹k type› T ‹k struct› { ID ‹k int64› ‹s `json:"id"`› }\n‹k func› f() ‹k error› { ‹k defer› g() }'],
  ['go', '‹k for› _, x := ‹k range› y { ‹k if› err != ‹k nil› { os.Exit(‹n 1›) } }'],
] as const)('in %s, each part is coloured as what it is', (grammar, expected) =>
  expect(marked(expected.replaceAll(/‹\w ([^›]*)›/g, '$1'), grammar)).toBe(expected),
)
