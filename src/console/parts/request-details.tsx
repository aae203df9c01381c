import { curlOf, type RecordedRequest, type RecordedResponse, titled } from '../session/connect.ts'
import { useSettings } from '../session/session.ts'
import { CopyButton } from './fields.tsx'

/** For developers who turned it on: the requests of this view and their responses. */
export function RequestDetails({ exchange }: { exchange: RecordedRequest | undefined }) {
  const { showsRequests } = useSettings()
  if (exchange === undefined || !showsRequests) return null
  const { method, url, response } = exchange
  return (
    <details class="exchange card small">
      <summary class="row muted">
        <span>Request details</span>
        <code class="cut">
          {method} {url.slice(new URL(url).origin.length)}
        </code>
        <span class={`code code-${response ? Math.floor(response.status / 100) : 0}`}>
          {response?.status ?? 'no response'}
        </span>
      </summary>
      <div class="stack">
        <section aria-label="The request as curl">
          <div class="row spread">
            <h2 class="small">As curl</h2>
            <CopyButton label="Copy" text={curlOf(exchange)} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
          <pre class="card" tabIndex={0}>
            {curlOf(exchange)}
          </pre>
        </section>
        {response ? <Response response={response} /> : <p class="muted">No response was received.</p>}
      </div>
    </details>
  )
}

const Response = ({ response: { status, headers, durationMs } }: { response: RecordedResponse }) => (
  <section aria-label="The response">
    <div class="row spread">
      <h2 class="small">Response</h2>
      <span class="muted">{Math.round(durationMs)} ms</span>
    </div>
    <dl class="facts mono">
      <dt>Status</dt>
      <dd>{status}</dd>
      {headers.map(([name, value]) => (
        <>
          <dt>{titled(name)}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  </section>
)
