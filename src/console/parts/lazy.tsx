import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './fields.tsx'
import { useWindowEvents } from './hooks.ts'

/** A component that is loaded when it is first used. If that fails, it is tried again when the connection is back. */
export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let Loaded: FunctionComponent<Props> | undefined
  return function Lazy(props: Props) {
    const [isFailed, setFailed] = useState(false)
    const [, setRound] = useState(0)
    const start = () => {
      if (Loaded) return
      load().then(
        component => {
          Loaded = component
          setFailed(false)
          setRound(round => round + 1)
        },
        () => setFailed(true),
      )
    }
    useEffect(start, [])
    useWindowEvents(['online'], start)
    if (Loaded) return <Loaded {...props} />
    if (!isFailed) return null
    return (
      <div class="note note-unknown row spread" role="alert">
        <p>This part of the console could not be loaded.</p>
        <div class="actions row">
          <Button look="small" onClick={start}>
            Try again
          </Button>
          <Button look="small" onClick={() => location.reload()}>
            Reload the page
          </Button>
        </div>
      </div>
    )
  }
}
