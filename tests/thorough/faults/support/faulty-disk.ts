import { expect } from 'bun:test'
import { petJson } from '../../../support/http/exact.ts'
import { walk } from '../../../support/http/walk.ts'
import { eventually } from '../../../support/service/process.ts'
import type { Service } from '../../../support/service/service.ts'

const BACK_WITHIN_MS = 5000

/** A caller of one service that records what was acknowledged and what was refused. */
export class Caller {
  readonly acknowledged: string[] = []
  readonly refused: string[] = []
  readonly service: Service

  constructor(service: Service) {
    this.service = service
  }

  /** Adds an animal; returns the status. */
  async add(name: string): Promise<number> {
    const answer = await this.service.post(petJson({ name }))
    if (answer.status === 201) this.acknowledged.push(name)
    else {
      expect([answer.failure, answer.headers.get('retry-after')]).toEqual(['503 unavailable', '1'])
      this.refused.push(name)
    }
    return answer.status
  }

  /** How long it takes until an animal can be added again. */
  async untilAdded(label: string): Promise<number> {
    const since = performance.now()
    let tries = 0
    await eventually(
      'writes work again',
      async () => (await this.add(`${label} ${tries++}`)) === 201 || undefined,
      BACK_WITHIN_MS,
    )
    return performance.now() - since
  }

  /** Expects the service to return everything that was acknowledged, and nothing else. */
  async expectNothingElse(service = this.service): Promise<void> {
    const { pets } = await walk(service, '/v1/pets?limit=100')
    expect(pets.map(({ name }) => name)).toEqual(this.acknowledged)
  }
}
