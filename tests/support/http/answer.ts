import { type ErrorBody, type PetBody, parseExact } from './exact.ts'

/** A complete answer of the service. */
export class Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(status: number, headers: Headers, text: string) {
    this.status = status
    this.headers = headers
    this.text = text
  }

  static async from(response: Response): Promise<Answer> {
    return new Answer(response.status, response.headers, await response.text())
  }

  get pet(): PetBody {
    return parseExact(this.text) as PetBody
  }

  get pets(): PetBody[] {
    return parseExact(this.text) as PetBody[]
  }

  get error(): ErrorBody {
    return parseExact(this.text) as ErrorBody
  }

  /** Status and code in one, which is easy to read in a test: `404 pet_not_found`. */
  get failure(): string {
    return `${this.status} ${this.error.code}`
  }

  /** The target of the link with this relation, if the answer has one. */
  link(relation: string): string | undefined {
    for (const link of this.headers.get('link')?.split(/,\s*(?=<)/) ?? []) {
      const [, target] = /^<([^>]*)>/.exec(link) ?? []
      if (link.includes(`rel="${relation}"`)) return target
    }
    return undefined
  }
}
