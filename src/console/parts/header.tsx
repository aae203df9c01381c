import { facts } from '../page-facts.ts'
import { visibleHint } from '../sign-in/kept-key.ts'

interface Props {
  readonly apiKey: string | undefined
  readonly onSignOut: () => void
}

export function Header({ apiKey, onSignOut }: Props) {
  return (
    <header class={`header header-${facts.environment}`}>
      <div class="header-row">
        <a class="brand" href="./">
          <PawMark />
          <span class="roomy">Petstore</span>
        </a>
        <EnvironmentBadge />
        <nav aria-label="Pages" class="header-links">
          <a href="docs">Reference</a>
        </nav>
        {apiKey !== undefined && (
          <div class="session">
            <code class="session-key" title="The API key of this tab">
              {visibleHint(apiKey)}
            </code>
            <button type="button" class="button button-quiet" onClick={onSignOut}>
              Sign out
            </button>
          </div>
        )}
      </div>
    </header>
  )
}

export const EnvironmentBadge = () => (
  <span class={`environment environment-${facts.environment}`}>
    <span class="hidden">Environment: </span>
    {facts.environment}
  </span>
)

const PawMark = () => (
  <svg class="paw" viewBox="0 0 32 32" aria-hidden="true">
    <ellipse cx="6.5" cy="14.5" rx="3.4" ry="4.4" />
    <ellipse cx="12.8" cy="7.4" rx="3.4" ry="4.6" />
    <ellipse cx="19.2" cy="7.4" rx="3.4" ry="4.6" />
    <ellipse cx="25.5" cy="14.5" rx="3.4" ry="4.4" />
    <path d="M16 14.5c-4.7 0-9 5.2-9 9.3 0 2.5 1.8 3.8 4.1 3.8 1.9 0 3-.9 4.9-.9s3 .9 4.9.9c2.3 0 4.1-1.3 4.1-3.8 0-4.1-4.3-9.3-9-9.3z" />
  </svg>
)
