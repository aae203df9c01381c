import type { Additions } from '../add/additions.ts'
import { AttemptNote } from '../add/attempt-note.tsx'
import { useObserved } from '../parts/observed.ts'
import type { Navigation } from '../view/use-view.ts'
import type { View } from '../view/view.ts'

interface Props {
  readonly apiKey: string
  readonly additions: Additions
  readonly view: View
  readonly go: Navigation['go']
  readonly onOpen: () => void
}

/** What became of the animals that were sent, except for the one that the open form is about. */
export function Notes({ apiKey, additions, view, go, onOpen }: Props) {
  const { form, attempts } = useObserved(additions.state)
  const shown = attempts.filter(({ key }) => !(view.isAdding && key === form.key))
  return (
    <>
      {shown.map(attempt => (
        <AttemptNote
          key={attempt.key}
          attempt={attempt}
          apiKey={apiKey}
          additions={additions}
          place={{ view, go, onOpen }}
        />
      ))}
    </>
  )
}
