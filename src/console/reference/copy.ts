import { all } from './elements.ts'
import { textOf } from './samples.ts'

/** Only pages from a safe origin may write to the clipboard; elsewhere there is nothing to press. */
export function offerCopies(): void {
  for (const button of all<HTMLButtonElement>('.copy')) {
    if (navigator.clipboard === undefined) button.hidden = true
    else button.addEventListener('click', () => copy(button))
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const shown = all('pre', button.closest('figure') ?? document).find(sample => sample.offsetParent !== null)
  if (shown === undefined) return
  await navigator.clipboard.writeText(textOf(shown))
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}
