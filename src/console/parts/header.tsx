import { facts } from '../page.ts'
import { visibleHint } from '../session/api-key.ts'
import { Button } from './fields.tsx'

interface Props {
  readonly apiKey: string | undefined
  readonly onSignOut: () => void
}

export const Header = ({ apiKey, onSignOut }: Props) => (
  <header class={`header header-${facts.environment}`}>
    <div class="header-row">
      <a class="brand" href="./">
        <img src={iconUrl()} alt="" width="24" height="24" />
        <span class="roomy">Petstore</span>
      </a>
      <span class={`environment environment-${facts.environment}`}>
        <span class="hidden">Environment: </span>
        {facts.environment}
      </span>
      <nav aria-label="Pages">
        <a href="docs">Reference</a>
      </nav>
      {apiKey !== undefined && (
        <div class="session row">
          <code class="session-key" title="The API key of this tab">
            {visibleHint(apiKey)}
          </code>
          <Button look="quiet" onClick={onSignOut}>
            Sign out
          </Button>
        </div>
      )}
    </div>
  </header>
)

const iconUrl = (): string => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''
