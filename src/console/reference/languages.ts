import { all } from './elements.ts'

const NAME = 'petstore-reference-language'

/** One choice for all samples, kept in this browser. */
export function offerLanguages(): void {
  const kept = localStorage.getItem(NAME)
  const buttons = all<HTMLButtonElement>('[data-choose]')
  if (buttons.some(({ dataset }) => dataset.choose === kept)) choose(kept ?? '', buttons)
  for (const button of buttons)
    button.addEventListener('click', () => {
      const before = button.getBoundingClientRect().top
      const language = button.dataset.choose ?? ''
      localStorage.setItem(NAME, language)
      choose(language, buttons)
      // Samples above differ in length too: what was pressed stays where it was.
      scrollBy(0, button.getBoundingClientRect().top - before)
    })
}

function choose(language: string, buttons: readonly HTMLButtonElement[]): void {
  for (const place of all('.reference')) place.dataset.language = language
  for (const button of buttons)
    button.setAttribute('aria-pressed', String(button.dataset.choose === language))
}
