import { createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { environment } from '../../page.ts'
import { advance, type Work } from './work.ts'

const SOON_MS = 50

/** A value that components can observe. It lives outside them, so it outlasts them. */
export class Observed<Value> {
  #value: Value
  /** How often it was set. The value itself may be the same object with other contents. */
  version = 0
  #soon: ReturnType<typeof setTimeout> | undefined
  readonly #followers = new Set<() => void>()

  constructor(value: Value) {
    this.#value = value
  }

  get value(): Value {
    return this.#value
  }

  set(value: Value): void {
    clearTimeout(this.#soon)
    this.#soon = undefined
    this.#value = value
    this.version++
    for (const follower of this.#followers) follower()
  }

  /** For a value that changes more often than people can read it. */
  setSoon(value: Value): void {
    this.#soon ??= setTimeout(() => this.set(value), SOON_MS)
  }

  follow(follower: () => void): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }
}

export function useObserved<Value>(observed: Observed<Value>): Value {
  const [, setVersion] = useState(observed.version)
  // Before the browser paints, because the next key may already be on its way.
  useLayoutEffect(() => {
    const render = () => setVersion(observed.version)
    // The value may have changed since the first render.
    render()
    return observed.follow(render)
  }, [observed])
  return observed.value
}

/** Less than people notice, with what the browser has to do besides. */
const SLICE_MS = 12

/**
 * The result of long work, and whether a newer one is still being worked out. Work for more than a slice goes on after the browser
 * has responded to people; until then, the last result stays.
 */
export function useWork<Result>(start: () => Work<Result>, inputs: readonly unknown[]) {
  const [, setShown] = useState<object>()
  const last = useRef<{ readonly result: Result }>(undefined)
  const task = useMemo(() => {
    const work = start()
    // At first there is no other result to show.
    return { work, done: advance(work, last.current ? SLICE_MS : Infinity) }
  }, inputs)
  if (task.done) last.current = task.done
  useEffect(() => {
    if (task.done) return undefined
    let done: typeof last.current
    const timer = setInterval(() => {
      // Showing the result also takes a moment, so it has its own turn.
      if (!done) done = advance(task.work, SLICE_MS)
      else {
        clearInterval(timer)
        task.done = done
        setShown(done)
      }
    })
    return () => clearInterval(timer)
  }, [task])
  return [last.current?.result as Result, !task.done] as const
}

/** Calls `act` every `ms` milliseconds, or never if that is undefined. A new `restart` value restarts the wait. */
export function useTimer(ms: number | undefined, act: () => void, restart?: unknown): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (ms === undefined) return undefined
    const timer = setInterval(() => latest.current(), ms)
    return () => clearInterval(timer)
  }, [ms, restart])
}

/** Handles window events with the latest given function. */
export function useWindowEvents(names: readonly string[], act: (event: Event) => void): void {
  const latest = useRef(act)
  latest.current = act
  // Before the next key press, which may be meant for what is shown now.
  useLayoutEffect(() => {
    const over = new AbortController()
    const { signal } = over
    for (const name of names) addEventListener(name, event => latest.current(event), { signal })
    return () => over.abort()
  }, [names.join()])
}

export function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useWindowEvents(['online', 'offline'], () => setOnline(navigator.onLine))
  return isOnline
}

/** The title of the tab: first the view, then the service. */
export function useTitle(what: string): void {
  useEffect(() => {
    document.title = `${what} · Petstore · ${environment()}`
  }, [what])
}

const FOCUSABLE = 'a[href], button, input, select, summary, [tabindex]'

/** If the element with the focus is removed, moves the focus to what is left around it, so that the keyboard stays in its place. */
export function keepFocus(root: HTMLElement): void {
  let around: Element[] = []
  root.addEventListener('focusin', ({ target }) => {
    around = []
    for (let at = target; at instanceof Element; at = at.parentElement) around.push(at)
  })
  new MutationObserver(() => {
    if (document.activeElement !== document.body || around[0]?.isConnected !== false) return
    const left = around.filter(({ isConnected }) => isConnected)
    const near = left.flatMap(place => [...place.querySelectorAll<HTMLElement>(FOCUSABLE)])
    near.find(({ offsetParent }) => offsetParent)?.focus()
  }).observe(root, { childList: true, subtree: true })
}

/** A context without a default. It can only be used within its provider. */
export function context<Value>(what: string) {
  const provided = createContext<Value | undefined>(undefined)
  const use = (): Value => {
    const value = useContext(provided)
    if (value === undefined) throw new Error(`${what} is not provided.`)
    return value
  }
  return [provided.Provider, use] as const
}
