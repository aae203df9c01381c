import { useLayoutEffect } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { useListing } from '../list/listing.ts'
import { Reading } from '../list/reading.tsx'
import { useNavigation } from '../list/view.ts'
import { Button, ViewLink } from '../parts/fields.tsx'
import { useObserved, useWindowEvents } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Category, Name, Status } from '../parts/labels.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { grouped } from '../parts/words.ts'
import { useCategoryName, useSession, useSettings } from '../session/session.ts'

const rowOf = (id: string) => document.querySelector<HTMLElement>(`.name-link[href$="#animal=${id}"]`)

/** One animal, by its ID, and the way to those before and after it in the list. */
export function AnimalSheet({ id }: { id: string }) {
  const { index } = useSession()
  const { pets, news, isComplete, isReading, failure } = useObserved(index.state)
  const number = BigInt(id)
  const isIt = (one: Pet) => one.id === number
  const { hasShortcuts } = useSettings()
  const { found } = useListing()
  const pet = found.find(isIt) ?? pets.find(isIt) ?? news.find(isIt)
  const { open } = useNavigation()
  // It may have been added since the store was read.
  useLayoutEffect(() => void (pet ?? index.refresh()), [id])
  // The sheet returns the focus to the row that opened it, which may be another animal's. A later effect would still know
  // that one if Escape follows a step at once.
  useLayoutEffect(() => () => void setTimeout(() => rowOf(id)?.focus()), [id])
  const isKnown = isComplete && !isReading && !failure
  const at = found.findIndex(isIt)
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
  return (
    <Sheet title={pet ? <Name name={pet.name} /> : `Animal ${id}`} isOnlyShown footer={footer}>
      {pet ? <Animal pet={pet} /> : isKnown ? <p>No animal has the ID {id}.</p> : <Reading />}
    </Sheet>
  )
}

function Animal({ pet }: { pet: Pet }) {
  const category = String(pet.categoryId)
  const categoryName = useCategoryName(category)
  const { pets, news, isComplete } = useSession().index
  const isEqual = ({ categoryId }: Pet) => categoryId === pet.categoryId
  // It may be among the news itself.
  const count = pets.filter(isEqual).length + news.filter(isEqual).length
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
      <div>
        <ViewLink class="button button-small" to={{ status: undefined, query: '', category }}>
          {!isComplete ? 'All' : count === 1 ? 'The only one' : `All ${grouped(count)}`} in{' '}
          {categoryName ?? `category ${category}`}
        </ViewLink>
      </div>
      <p class="hint">The service cannot change or remove an animal. Its status was set when it was added.</p>
    </>
  )
}
