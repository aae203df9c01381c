import { CopyButton } from '../parts/copy-button.tsx'
import { curlOf, titled } from './curl.ts'
import type { ExchangeAnswer, RecordedExchange } from './exchange.ts'

/** For developers: what this view asked the API, and what the API answered. */
export function RequestDetails({ exchange }: { exchange: RecordedExchange | undefined }) {
  if (exchange === undefined) return null
  const { method, url, answer } = exchange
  return (
    <details class="exchange">
      <summary>
        <span class="exchange-title">Request details</span>
        <code class="exchange-line">
          {method} {url.slice(new URL(url).origin.length)}
        </code>
        <StatusCode answer={answer} />
      </summary>
      <div class="exchange-body">
        <Curl exchange={exchange} />
        {answer ? <Answer answer={answer} /> : <p class="muted small">No response was received.</p>}
      </div>
    </details>
  )
}

const StatusCode = ({ answer }: { answer: ExchangeAnswer | undefined }) => (
  <span class={`code code-${answer ? Math.floor(answer.status / 100) : 0}`}>
    {answer ? answer.status : 'no answer'}
  </span>
)

const Curl = ({ exchange }: { exchange: RecordedExchange }) => (
  <section aria-label="The request as curl">
    <div class="exchange-head">
      <h2>As curl</h2>
      <CopyButton label="Copy" text={curlOf(exchange)} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
    <pre tabIndex={0}>{curlOf(exchange)}</pre>
  </section>
)

const Answer = ({ answer }: { answer: ExchangeAnswer }) => (
  <section aria-label="The response">
    <div class="exchange-head">
      <h2>Response</h2>
      <span class="small muted">{Math.round(answer.durationMs)} ms</span>
    </div>
    <dl class="headers">
      <dt>Status</dt>
      <dd>{answer.status}</dd>
      <dt>Request ID</dt>
      <dd>{answer.requestId ?? 'none'}</dd>
      {answer.headers
        .filter(([name]) => name !== 'x-request-id')
        .map(([name, value]) => (
          <>
            <dt>{titled(name)}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  </section>
)
