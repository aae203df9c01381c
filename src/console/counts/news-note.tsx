import { animals } from '../parts/numbers.ts'
import { useObserved } from '../parts/observed.ts'
import type { Survey } from './survey.ts'

interface Props {
  readonly survey: Survey
  readonly onShow: () => void
}

/** Others have added animals. The list does not change while it is read: a note offers to show them. */
export function NewsNote({ survey, onShow }: Props) {
  const { news } = useObserved(survey.state)
  return (
    <div role="status" class="live">
      {news > 0 && (
        <div class="note note-news">
          <p>{animals(news).replace(' ', ' new ')}</p>
          <div class="actions">
            <button type="button" class="button button-small" onClick={onShow}>
              Show
            </button>
            <button type="button" class="button button-quiet button-small" onClick={() => survey.seen()}>
              Dismiss
            </button>
          </div>
        </div>
      )}
    </div>
  )
}
