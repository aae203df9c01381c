import type { Pet } from '../../../client/src/index.ts'

export const StatusDot = ({ status }: { status: Pet['status'] }) => (
  <span class={`dot dot-${status}`} aria-hidden="true" />
)

/** Colour and word: neither alone would do for everyone. */
export const Status = ({ status }: { status: Pet['status'] }) => (
  <span class={`status status-${status}`}>
    <StatusDot status={status} />
    {status}
  </span>
)
