import type { Pet, PetStatus, PetstoreError } from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import { Observed } from '../parts/observed.ts'
import { connect, failureOf, LONG_PATIENCE } from '../request/connect.ts'
import { FORMATS, type Format } from './formats.ts'

export interface ExportState {
  readonly written: number
  readonly isRunning: boolean
  readonly failure: PetstoreError | undefined
}

export interface ExportOptions {
  readonly status: PetStatus | undefined
  readonly format: Format
  /** Names that a spreadsheet would run are made text. */
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
    const { head, line, type } = FORMATS[format]
    const { signal } = this.#reading
    const { pets } = connect(apiKey, undefined, LONG_PATIENCE)
    const pieces: Blob[] = []
    let texts = [head]
    let written = 0
    this.state.set({ written, isRunning: true, failure: undefined })
    try {
      let page = await pets.list({ status, limit: facts.limitMax }, { signal })
      for (;;) {
        texts.push(page.items.map((pet: Pet) => line(pet, isForSpreadsheets)).join(''))
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
