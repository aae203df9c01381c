import { useEffect } from 'preact/hooks'
import { facts } from '../page-facts.ts'

/** The title of the tab: what is seen, then where. */
export function useTitle(what: string): void {
  useEffect(() => {
    document.title = `${what} · Petstore · ${facts.environment}`
  }, [what])
}
