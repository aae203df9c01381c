import { type Pet, stringifyPet } from '../../../client/src/index.ts'
import { baseUrl } from '../base-url.ts'
import { useCategoryName, useCategoryNames } from '../category/category.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Field } from '../parts/field.tsx'
import { Name } from '../parts/name.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { Status } from '../parts/status.tsx'
import { curlOf } from '../request/curl.ts'
import type { RecordedExchange } from '../request/exchange.ts'
import { RequestDetails } from '../request/request-details.tsx'

interface Props {
  readonly pet: Pet
  /** The request that brought it. */
  readonly exchange: RecordedExchange | undefined
  readonly onClose: () => void
}

/** One animal, and all that can be done with it. */
export function AnimalDetails({ pet, exchange, onClose }: Props) {
  const category = String(pet.categoryId)
  const names = useCategoryNames()
  const localName = useCategoryName(category)
  return (
    <Sheet title={<Name name={pet.name} />} onClose={onClose}>
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
      <div class="actions">
        <CopyButton label="Copy ID" text={String(pet.id)} />
        <CopyButton label="Copy JSON" text={stringifyPet(pet)} />
        <CopyButton label="Copy as curl" text={curlOf(requestFor(pet))} />
      </div>
      <Field
        id="category-name"
        label={`Your name for category ${category}`}
        hint="Stored only in this browser. The service knows only the number."
        problem={undefined}
      >
        {described => (
          <input
            {...described}
            class="input"
            type="text"
            maxLength={60}
            autocomplete="off"
            value={localName ?? ''}
            onChange={event => names.give(category, event.currentTarget.value)}
          />
        )}
      </Field>
      <details class="fold">
        <summary>Edit, sell or delete this animal?</summary>
        <p class="small muted">
          That cannot be done here: the service lists, adds and fetches animals, and has no operation that
          changes or removes one. Its status was set when it was added.
        </p>
      </details>
      <div class="sheet-actions">
        <button type="button" class="button" data-first onClick={onClose}>
          Close
        </button>
      </div>
      <RequestDetails exchange={exchange} />
    </Sheet>
  )
}

const requestFor = ({ id }: Pet): RecordedExchange => ({
  method: 'GET',
  url: `${baseUrl}/pets/${id}`,
  requestHeaders: [],
  body: undefined,
  answer: undefined,
})
