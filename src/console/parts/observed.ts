import { useEffect, useState } from 'preact/hooks'

/** A value that components follow. It lives outside of them, so it outlasts those that come and go. */
export class Observed<Value> {
  #value: Value
  readonly #followers = new Set<(value: Value) => void>()

  constructor(value: Value) {
    this.#value = value
  }

  get value(): Value {
    return this.#value
  }

  set(value: Value): void {
    this.#value = value
    for (const follower of this.#followers) follower(value)
  }

  follow(follower: (value: Value) => void): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }
}

export function useObserved<Value>(observed: Observed<Value>): Value {
  const [, setRound] = useState(0)
  useEffect(() => {
    const render = () => setRound(round => round + 1)
    // It may have changed between the first render and now.
    render()
    return observed.follow(render)
  }, [observed])
  return observed.value
}
