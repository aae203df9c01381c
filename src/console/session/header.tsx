import type { ComponentChildren } from 'preact'
import { useNavigation } from '../list/view.ts'
import { environment } from '../page.ts'
import { useObserved, useOnline } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { timeOf } from '../parts/labels.tsx'
import { Menu } from '../parts/menu.tsx'
import { visibleHint } from './api-key.ts'
import { useSession } from './session.ts'

/** The service, its environment, its pages, and what belongs to the session. */
export const Header = ({ children }: { children?: ComponentChildren }) => (
  <header class={`header header-${environment()}`}>
    <div class="header-row">
      <a class="brand" href="./" aria-label="Petstore">
        <img src={iconUrl()} alt="" width="22" height="22" />
        <span class="roomy">Petstore</span>
      </a>
      <span class={`environment environment-${environment()}`}>
        <span class="hidden">Environment: </span>
        {environment()}
      </span>
      <nav class={children ? 'wide' : undefined} aria-label="Pages">
        <a href="./" aria-current="page">
          Animals
        </a>
        <a href="docs">Reference</a>
      </nav>
      {children}
    </div>
  </header>
)

const iconUrl = (): string => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''

/** Beside the pages: how recent the list is, and the key that is used. */
export function SessionMenu() {
  const { apiKey, index, signOut } = useSession()
  const { open } = useNavigation()
  const { readAt, failure } = useObserved(index.state)
  const isUpToDate = useOnline() && !failure
  const hint = visibleHint(apiKey)
  return (
    <div class="session row nowrap">
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
          ['Sign out', signOut, { look: 'group' }],
        ]}
      >
        <code class="session-key">{hint}</code>
        <Icon name="down" />
      </Menu>
    </div>
  )
}
