import { useEffect, useState } from 'preact/hooks'
import { NotFoundError, type Pet, type PetstoreError } from '../../../client/src/index.ts'
import { FailureNote } from '../parts/failure.tsx'
import { CopyButton, TextField } from '../parts/fields.tsx'
import { useObserved } from '../parts/hooks.ts'
import { Name, Status } from '../parts/labels.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { connect, failureOf } from '../session/connect.ts'
import { useBrowserSettings, useCategoryName, useSession } from '../session/session.ts'

/** One animal, by its ID. */
export function AnimalSheet({ id }: { id: string }) {
  const { pet, failure } = usePet(id)
  return (
    <Sheet title={pet ? <Name name={pet.name} /> : `Animal ${id}`} isOnlyShown>
      {pet && <Animal pet={pet} />}
      {failure instanceof NotFoundError && <p>No animal has the ID {id}.</p>}
      {failure && !(failure instanceof NotFoundError) && <FailureNote failure={failure} />}
      {!pet && !failure && <p class="muted">Looking for it…</p>}
    </Sheet>
  )
}

interface Looked {
  readonly pet?: Pet
  readonly failure?: PetstoreError
}

/** Finds it among the loaded animals, or requests it while the service has that operation. */
function usePet(id: string): Looked {
  const { apiKey, index } = useSession()
  const { pets, isReading } = useObserved(index.state)
  const [looked, setLooked] = useState<Looked>({})
  const known = pets.find(pet => String(pet.id) === id)
  const isAsking = known === undefined && !isReading
  useEffect(() => {
    if (!isAsking) return
    connect(apiKey)
      .get(id)
      .then(
        pet => setLooked({ pet }),
        error => setLooked({ failure: failureOf(error) }),
      )
  }, [apiKey, id, isAsking])
  return known ? { pet: known } : looked
}

function Animal({ pet }: { pet: Pet }) {
  const category = String(pet.categoryId)
  const settings = useBrowserSettings()
  const categoryName = useCategoryName(category)
  return (
    <>
      <dl class="facts">
        <dt>ID</dt>
        <dd class="number">{String(pet.id)}</dd>
        <dt>Category</dt>
        <dd class="number">{category}</dd>
        <dt>Status</dt>
        <dd>
          <Status status={pet.status} />
        </dd>
      </dl>
      <div class="actions row">
        <CopyButton label="Copy ID" text={String(pet.id)} />
        <CopyButton label="Copy link" text={location.href} />
      </div>
      <TextField
        id="category-name"
        label={`Your name for category ${category}`}
        hint="Stored only in this browser. The service knows only the number."
        maxLength={60}
        value={categoryName ?? ''}
        onChange={event => settings.nameCategory(category, event.currentTarget.value)}
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
