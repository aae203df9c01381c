import { useOnline } from './online.ts'

/** Said once for the whole page. */
export const OfflineNote = () =>
  useOnline() ? null : (
    <p class="note note-unknown" role="status">
      You are offline. What you see was read before.
    </p>
  )
