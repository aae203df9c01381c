import type { RecordedRequest } from '../session/connect.ts'
import { useSettings } from '../session/session.ts'
import { lazy } from './sheet.tsx'

const Exchange = lazy(async () => (await import('./exchange.tsx')).Exchange)

/** For developers who turned it on: the requests of this view and their responses. */
export function RequestDetails({ exchange }: { exchange: RecordedRequest | undefined }) {
  const { showsRequests } = useSettings()
  return exchange && showsRequests ? <Exchange exchange={exchange} /> : null
}
