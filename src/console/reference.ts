import './styles/reference.css'
import { type Description, withExamples } from './reference-examples.ts'
import { keepHeadingsInOrder } from './reference-headings.ts'
import { theme } from './reference-theme.ts'

/** The library, which the page loads as it is. */
declare const Redoc: {
  init(description: object, options: object, element: Element | null, done: (error?: Error) => void): void
}

const BAR_HEIGHT = 56
const place = document.getElementById('reference')

const OPTIONS = {
  // The search would need a worker made of text, which the policy of the page forbids; the browser's own does as well.
  disableSearch: true,
  scrollYOffset: BAR_HEIGHT,
  hideDownloadButton: false,
  downloadUrls: [{ title: 'openapi.json', url: 'openapi.json' }],
  expandResponses: '200,201',
  jsonSamplesExpandLevel: 3,
  sortRequiredPropsFirst: true,
  theme,
}

async function show(): Promise<void> {
  const answer = await fetch('openapi.json')
  if (!answer.ok) throw new Error(`The description could not be read: status ${answer.status}.`)
  const description = (await answer.json()) as Description
  Redoc.init(withExamples(description, document.baseURI), OPTIONS, place, error => {
    if (error) fail(error)
    else if (place) keepHeadingsInOrder(place)
  })
}

function fail(error: Error): void {
  if (place) place.textContent = `${error.message} Reload the page to try again.`
}

show().catch(fail)
