import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A component that is loaded when it is first used. */
export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined
  return function Lazy(props: Props) {
    const [state, setState] = useState<'waiting' | 'there' | 'failed'>(loaded ? 'there' : 'waiting')
    useEffect(() => {
      if (loaded) return
      load().then(
        component => {
          loaded = component
          setState('there')
        },
        () => setState('failed'),
      )
    }, [])
    if (state === 'failed')
      return (
        <p class="note note-unknown" role="alert">
          This part of the console could not be loaded. Check the connection, then reload the page.
        </p>
      )
    return loaded ? <Loaded of={loaded} props={props} /> : null
  }
}

const Loaded = <Props extends object>({
  of: Component,
  props,
}: {
  of: FunctionComponent<Props>
  props: Props
}) => <Component {...props} />
