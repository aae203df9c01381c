import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { AuthenticationError, type Pet } from '../../../client/src/index.ts'
import { AddAnimal } from '../add/add-animal.tsx'
import { AddedNote } from '../add/added-note.tsx'
import { RequestDetails } from '../request/request-details.tsx'
import { useView } from '../view/use-view.ts'
import { AnimalList } from './animal-list.tsx'
import { Filters } from './filters.tsx'
import { Pager } from './pager.tsx'
import { useAnimals } from './use-animals.ts'

interface Props {
  readonly apiKey: string
  readonly onRefused: (reason: string) => void
}

export function AnimalsPage({ apiKey, onRefused }: Props) {
  const { view, trail, isOpenedHere, go } = useView()
  const animals = useAnimals(apiKey, view)
  const [added, setAdded] = useState<Pet>()
  const { page, failure, reload } = animals
  const title = useRef<HTMLHeadingElement>(null)

  // The form that had the focus until now is gone; a keyboard goes on from here.
  useEffect(() => title.current?.focus(), [])

  useEffect(() => {
    if (failure instanceof AuthenticationError) onRefused(failure.message)
  }, [failure, onRefused])

  // What was added is news only to the view that it was added in.
  useEffect(() => setAdded(undefined), [view.status, view.limit, view.cursor])

  const openForm = () => go({ isAdding: true }, { isOpenedHere: true })
  const closeForm = useCallback(() => {
    if (isOpenedHere) history.back()
    else go({ isAdding: false })
  }, [isOpenedHere, go])
  const show = (pet: Pet) => {
    setAdded(pet)
    reload()
    closeForm()
  }

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
      {added && <AddedNote added={added} view={view} go={go} onClose={() => setAdded(undefined)} />}
      <AnimalList animals={animals} view={view} added={added} onAdd={openForm} go={go} />
      {page && !(failure && animals.isOfAnotherView) && (
        <Pager page={page} view={view} trail={trail} go={go} isLoading={animals.isLoading} />
      )}
      <RequestDetails exchange={animals.exchange} />
      {view.isAdding && (
        <AddAnimal apiKey={apiKey} onAdded={show} onClose={closeForm} onRefused={onRefused} />
      )}
    </>
  )
}
