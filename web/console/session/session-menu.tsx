import { visibleHint } from '../../api-key.ts'
import { useNavigation } from '../list/view.ts'
import { useObserved, useOnline } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { timeOf } from '../parts/words.ts'
import { useSession } from './session.ts'

/** In the header, which the service writes: how recent the list is, and the key that is used. */
export function SessionMenu() {
  const { apiKey, index, signOut } = useSession()
  const { open } = useNavigation()
  const { readAt, failure } = useObserved(index.state)
  const isUpToDate = useOnline() && !failure
  const hint = visibleHint(apiKey)
  return (
    <section class="session row nowrap" aria-label="Session">
      {readAt !== undefined && isUpToDate && (
        <p class="up-to-date dim small row">
          <Icon name="check" />
          <span>Up to date, {timeOf(readAt)}</span>
        </p>
      )}
      <Menu
        label={`Your API key ${hint}`.trim()}
        icon="key"
        look="button-quiet"
        items={[
          ['Reference', () => location.assign('docs'), { look: 'narrow' }],
          ['Help and shortcuts', () => open('help')],
          ['Sign out', signOut],
        ]}
      >
        Key {hint && <code class="session-key">{hint}</code>}
        <Icon name="down" />
      </Menu>
    </section>
  )
}
