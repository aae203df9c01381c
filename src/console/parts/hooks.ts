import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { environment } from '../page.ts'

/** A value that components follow. It lives outside of them, so it outlasts those that come and go. */
export class Observed<Value> {
  #value: Value
  readonly #followers = new Set<() => void>()

  constructor(value: Value) {
    this.#value = value
  }

  get value(): Value {
    return this.#value
  }

  set(value: Value): void {
    this.#value = value
    for (const follower of this.#followers) follower()
  }

  follow(follower: () => void): () => void {
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

/** Acts every so many milliseconds, until it is given none. Another `restart` begins the wait anew. */
export function useTimer(ms: number | undefined, act: () => void, restart?: unknown): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (ms === undefined) return undefined
    const timer = setInterval(() => latest.current(), ms)
    return () => clearInterval(timer)
  }, [ms, restart])
}

/** Whether something has taken so long that people should know. */
export function useSlow(isGoingOn: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isGoingOn) setSlow(false)
  }, [isGoingOn])
  useTimer(isGoingOn && !isSlow ? 1500 : undefined, () => setSlow(true))
  return isSlow && isGoingOn
}

/** Acts on events of the window, by the latest function that was given. */
export function useWindowEvents(names: readonly string[], act: (event: Event) => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const call = (event: Event) => latest.current(event)
    for (const name of names) addEventListener(name, call)
    return () => {
      for (const name of names) removeEventListener(name, call)
    }
  }, [names.join()])
}

export function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useWindowEvents(['online', 'offline'], () => setOnline(navigator.onLine))
  return isOnline
}

/** The title of the tab: what is seen, then where. */
export function useTitle(what: string): void {
  useEffect(() => {
    document.title = `${what} · Petstore · ${environment()}`
  }, [what])
}

/** A context without a default: whoever asks for it must be within its provider. */
export function context<Value>(what: string) {
  const provided = createContext<Value | undefined>(undefined)
  const use = (): Value => {
    const value = useContext(provided)
    if (value === undefined) throw new Error(`${what} is not provided.`)
    return value
  }
  return [provided.Provider, use] as const
}
