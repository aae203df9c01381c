import { type Pet, type PetStatus, type PetstoreError, stringifyPet } from '../../../client/src/index.ts'
import { csvLineOf, type Format, fileHead } from '../../transfer/pet-file.ts'
import { facts } from '../page-facts.ts'
import { Observed } from '../parts/observed.ts'
import { connect, failureOf, LONG_PATIENCE } from '../request/connect.ts'

export interface ExportState {
  readonly written: number
  readonly isRunning: boolean
  readonly failure: PetstoreError | undefined
}

export interface ExportOptions {
  readonly status: PetStatus | undefined
  readonly format: Format
  /** Names that a spreadsheet would run are made text, and it is told that the file is UTF-8. */
  readonly isForSpreadsheets: boolean
}

/** So many pages are handed to the browser as one piece, which it may keep on disk. */
const PAGES_PER_PIECE = 50

/** Reads page after page and keeps the file outside of the page's memory. */
export class ExportRun {
  readonly state = new Observed<ExportState>({ written: 0, isRunning: false, failure: undefined })
  readonly #reading = new AbortController()

  stop(): void {
    this.#reading.abort()
  }

  /** The file, unless it was stopped or failed. */
  async run(apiKey: string, { status, format, isForSpreadsheets }: ExportOptions): Promise<Blob | undefined> {
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
    const line = (pet: Pet): string =>
      format === 'csv' ? csvLineOf(pet, isForSpreadsheets) : `${stringifyPet(pet)}\n`
    const { signal } = this.#reading
    const { pets } = connect(apiKey, undefined, LONG_PATIENCE)
    const pieces: Blob[] = []
    let texts = [fileHead(format, isForSpreadsheets)]
    let written = 0
    this.state.set({ written, isRunning: true, failure: undefined })
    try {
      let page = await pets.list({ status, limit: facts.limitMax }, { signal })
      for (;;) {
        texts.push(page.items.map(line).join(''))
        written += page.items.length
        this.state.set({ written, isRunning: true, failure: undefined })
        if (texts.length >= PAGES_PER_PIECE) {
          pieces.push(new Blob(texts))
          texts = []
        }
        if (page.nextCursor === undefined) break
        page = await pets.list({ status, limit: facts.limitMax, cursor: page.nextCursor }, { signal })
      }
      this.state.set({ written, isRunning: false, failure: undefined })
      return new Blob([...pieces, ...texts], { type })
    } catch (error) {
      this.state.set({ written, isRunning: false, failure: failureOf(error) })
      return undefined
    }
  }
}
