import { ERROR_CODES, ERRORS, exampleOf } from '../../../contract/errors.ts'
import { GUIDE, sectionsOfGuide } from '../../../contract/guide.ts'
import { operationsWith } from '../../../contract/operations.ts'
import { html, inline, type Markup, paragraphs } from './markup.ts'
import { type SampleTarget, samplesOf } from './samples/markup.ts'
import type { Topic } from './samples/topics.ts'

const SAMPLE: Partial<Record<keyof typeof GUIDE, Topic>> = {
  pages: 'pages',
  safeRepeats: 'repeats',
  errors: 'errors',
}

export const anchorOf = (section: keyof typeof GUIDE): string =>
  GUIDE[section].toLowerCase().replaceAll(' ', '-')

/** What holds for more than one operation. */
export const guideSections = (place: SampleTarget): Markup[] =>
  Object.entries(sectionsOfGuide()).map(([name, text]) => {
    const section = name as keyof typeof GUIDE
    const title = GUIDE[section]
    const topic = SAMPLE[section]
    return html`<section class="entry" id="${anchorOf(section)}" data-search="${title}">
<div class="entry-head">
<h2><a class="anchor" href="#${anchorOf(section)}">${title}</a></h2>
${paragraphs(text)}
</div>
${topic && html`<div class="entry-code">${samplesOf(topic, `${title}: sample`, place)}</div>`}
${section === 'errors' && errorList()}
</section>
`
  })

const errorList = (): Markup =>
  html`<div class="errors">${ERROR_CODES.map(code => {
    const { status, when, remedy } = ERRORS[code]
    const operations = operationsWith(code)
    return html`
<article class="error" id="errors-${code}" data-search="${code} ${status}">
<h3><a class="anchor" href="#errors-${code}"><code>${code}</code></a> <span class="code code-${String(status).slice(0, 1)}">${status}</span></h3>
<p>${inline(when)}</p>
<p><strong>What to do.</strong> ${inline(remedy)}</p>
<p class="muted small">${
      operations.length > 0
        ? html`From ${operations.map((id, at) => html`${at > 0 && ', '}<a href="#${id}">${id}</a>`)}.`
        : 'Such a request reaches no operation.'
    } For instance: <q>${exampleOf(code)}</q></p>
</article>`
  })}</div>`
