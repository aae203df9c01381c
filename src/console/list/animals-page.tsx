import { useEffect, useRef } from 'preact/hooks'
import { AuthenticationError } from '../../../client/src/index.ts'
import { AddAnimal } from '../add/add-animal.tsx'
import type { Additions } from '../add/additions.ts'
import { AttemptNote } from '../add/attempt-note.tsx'
import { useObserved } from '../parts/observed.ts'
import { OfflineNote } from '../parts/offline-note.tsx'
import { RequestDetails } from '../request/request-details.tsx'
import { useView } from '../view/use-view.ts'
import { AnimalList } from './animal-list.tsx'
import { Filters } from './filters.tsx'
import { Pager } from './pager.tsx'
import { useAnimals } from './use-animals.ts'

interface Props {
  readonly apiKey: string
  readonly additions: Additions
  readonly onRefused: (reason: string) => void
}

export function AnimalsPage({ apiKey, additions, onRefused }: Props) {
  const { view, trail, go, openForm, closeForm } = useView()
  const animals = useAnimals(apiKey, view)
  const { form, attempts } = useObserved(additions.state)
  const { page, failure, reload } = animals
  const title = useRef<HTMLHeadingElement>(null)

  // The form that had the focus until now is gone; a keyboard goes on from here.
  useEffect(() => title.current?.focus(), [])

  useEffect(() => {
    if (failure instanceof AuthenticationError) onRefused(failure.message)
  }, [failure, onRefused])

  useEffect(
    () =>
      additions.listen({
        onAdded: (_, isFormDone) => {
          reload()
          if (isFormDone) closeForm()
        },
        onRefused,
      }),
    [additions, reload, closeForm, onRefused],
  )

  const news = attempts.flatMap(({ outcome }) => (outcome.kind === 'added' ? [outcome.pet] : []))
  const isInForm = (key: string) => view.isAdding && key === form.key
  return (
    <>
      <div class="title-row">
        <h1 ref={title} tabIndex={-1}>
          Animals
        </h1>
        <button type="button" class="button button-primary" onClick={openForm}>
          Add animal
        </button>
      </div>
      <Filters view={view} go={go} />
      <OfflineNote />
      {attempts
        .filter(({ key }) => !isInForm(key))
        .map(attempt => (
          <AttemptNote
            key={attempt.key}
            attempt={attempt}
            apiKey={apiKey}
            additions={additions}
            place={{ view, go, onOpen: openForm }}
          />
        ))}
      <AnimalList animals={animals} view={view} added={news.at(-1)} onAdd={openForm} go={go} />
      {page && !(failure && animals.isOfAnotherView) && (
        <Pager page={page} view={view} trail={trail} go={go} isLoading={animals.isLoading} />
      )}
      <RequestDetails exchange={animals.exchange} />
      {view.isAdding && <AddAnimal apiKey={apiKey} additions={additions} onClose={closeForm} />}
    </>
  )
}
