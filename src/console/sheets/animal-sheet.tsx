import { useEffect, useState } from 'preact/hooks'
import { NotFoundError, type Pet, PetstoreError } from '../../../client/src/index.ts'
import { useListing } from '../list/listing.ts'
import { useNavigation } from '../list/view.ts'
import { FailureNote } from '../parts/failure.tsx'
import { Button, TextField, ViewLink } from '../parts/fields.tsx'
import { useObserved, useWindowEvents } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Category, grouped, Name, Status } from '../parts/labels.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { connect, failureOf } from '../session/connect.ts'
import { useCategoryName, useNaming, useSession, useSettings } from '../session/session.ts'

/** One animal, by its ID, and the way to those before and after it in the list. */
export function AnimalSheet({ id }: { id: string }) {
  const pet = usePet(id)
  const { hasShortcuts } = useSettings()
  const { found } = useListing()
  const { open } = useNavigation()
  const at = found.findIndex(one => String(one.id) === id)
  const move = (step: number) => {
    const next = at === -1 ? undefined : found[at + step]
    if (next) open({ animal: String(next.id) })
  }
  useWindowEvents(['keydown'], event => {
    const { key, target, ctrlKey, metaKey, altKey } = event as KeyboardEvent
    const step = { j: 1, ArrowDown: 1, ArrowRight: 1, k: -1, ArrowUp: -1, ArrowLeft: -1 }[key]
    const isTyping = target instanceof HTMLInputElement || ctrlKey || metaKey || altKey
    if (step && hasShortcuts && !isTyping) move(step)
  })
  const footer = at !== -1 && (
    <>
      <span class="small muted push">
        {grouped(at + 1)} of {grouped(found.length)}
      </span>
      <Button look="square" aria-label="Previous animal" isOff={at === 0} onClick={() => move(-1)}>
        <Icon name="left" />
      </Button>
      <Button look="square" aria-label="Next animal" isOff={at === found.length - 1} onClick={() => move(1)}>
        <Icon name="right" />
      </Button>
    </>
  )
  const isFound = pet !== undefined && !(pet instanceof PetstoreError)
  return (
    <Sheet title={isFound ? <Name name={pet.name} /> : `Animal ${id}`} isOnlyShown footer={footer}>
      {pet === undefined && <p class="muted">Looking for it…</p>}
      {isFound && <Animal pet={pet} />}
      {pet instanceof NotFoundError && <p>No animal has the ID {id}.</p>}
      {pet instanceof PetstoreError && !(pet instanceof NotFoundError) && <FailureNote failure={pet} />}
    </Sheet>
  )
}

/** Finds it among the animals that were read, or requests it while the service has that operation. */
function usePet(id: string): Pet | PetstoreError | undefined {
  const { apiKey, index } = useSession()
  const { pets } = useObserved(index.state)
  const [result, setResult] = useState<Pet | PetstoreError>()
  const known = pets.find(pet => String(pet.id) === id)
  const isAsking = known === undefined
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    const look = async () => {
      const found = await connect(apiKey).get(id, { signal }).catch(failureOf)
      // It may be about another animal than the one shown by now.
      if (!signal.aborted) setResult(found)
    }
    setResult(undefined)
    if (isAsking) void look()
    return () => over.abort()
  }, [apiKey, id, isAsking])
  return known ?? result
}

function Animal({ pet }: { pet: Pet }) {
  const category = String(pet.categoryId)
  const categoryName = useCategoryName(category)
  const { index } = useSession()
  const { pets, isComplete } = index.state.value
  const count = pets.filter(({ categoryId }) => categoryId === pet.categoryId).length
  return (
    <>
      <dl class="facts">
        <dt>ID</dt>
        <dd>{String(pet.id)}</dd>
        <dt>Category</dt>
        <dd>
          <Category id={category} />
        </dd>
        <dt>Status</dt>
        <dd>
          <Status status={pet.status} />
        </dd>
      </dl>
      <div class="actions row">
        <ViewLink class="button button-small" to={{ status: undefined, query: '', category }}>
          All {isComplete && grouped(count)} in {categoryName ?? `category ${category}`}
        </ViewLink>
      </div>
      <TextField
        id="category-name"
        label={`Your name for category ${category}`}
        hint="Stored only in this browser. The service knows only the number."
        {...useNaming(category)}
      />
      <details class="fold">
        <summary>Edit, sell or delete this animal?</summary>
        <p class="small muted">
          That cannot be done here: the service lists, adds and fetches animals, and has no operation that
          changes or removes one. Its status was set when it was added.
        </p>
      </details>
    </>
  )
}
