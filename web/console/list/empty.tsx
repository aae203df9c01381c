import { Button } from '../parts/fields.tsx'
import { useSession } from '../session/session.ts'
import { useListing } from './listing.ts'
import { ALL, useNavigation } from './view.ts'

export function Empty() {
  const { additions } = useSession()
  const { view, go, open } = useNavigation()
  const { stored } = useListing()
  const { query } = view
  const addSearched = () => {
    additions.suggest(query)
    open('add')
  }
  return (
    <div class="empty stack" role="status">
      <h2>{stored > 0 ? 'No animal matches' : 'No animals yet'}</h2>
      <p class="muted">
        {stored > 0
          ? 'Look for something else, or add it.'
          : 'A name and a category are enough to add the first one.'}
      </p>
      <div class="row">
        {stored > 0 && <Button onClick={() => go(ALL)}>Show all animals</Button>}
        {stored > 0 && query && <Button onClick={addSearched}>Add “{query}”</Button>}
        {stored === 0 && (
          <Button look="primary" onClick={() => open('add')}>
            Add the first animal
          </Button>
        )}
        {stored === 0 && <Button onClick={() => open('import')}>Import a file</Button>}
      </div>
    </div>
  )
}
