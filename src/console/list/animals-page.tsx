import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { AuthenticationError } from '../../../client/src/index.ts'
import type { Additions } from '../add/additions.ts'
import { Counts } from '../counts/counts.tsx'
import { NewsNote } from '../counts/news-note.tsx'
import { useSurvey } from '../counts/use-survey.ts'
import { FindBox } from '../find/find-box.tsx'
import { useShortcuts } from '../help/shortcuts.ts'
import { Found } from '../lazy-parts.ts'
import { FailureNote } from '../parts/failure.tsx'
import { useObserved } from '../parts/observed.ts'
import { OfflineNote } from '../parts/offline-note.tsx'
import { RequestDetails } from '../request/request-details.tsx'
import { useTitle } from '../view/title.ts'
import { useView } from '../view/use-view.ts'
import { titleOf } from '../view/view.ts'
import { AnimalList } from './animal-list.tsx'
import { Filters } from './filters.tsx'
import { Notes } from './notes.tsx'
import { Pager } from './pager.tsx'
import { type Opened, Sheets } from './sheets.tsx'
import { TitleRow } from './title-row.tsx'
import { useAnimals } from './use-animals.ts'
import { useNewest } from './use-newest.ts'

interface Props {
  readonly apiKey: string
  readonly additions: Additions
  readonly onRefused: (reason: string) => void
}

export function AnimalsPage({ apiKey, additions, onRefused }: Props) {
  const { view, trail, go, openForm, closeForm } = useView()
  const animals = useAnimals(apiKey, view)
  const survey = useSurvey(apiKey)
  const newest = useNewest(apiKey, view, () => survey.tailCursor, go)
  const { attempts } = useObserved(additions.state)
  const [query, setQuery] = useState('')
  const [opened, setOpened] = useState<Opened>()
  const { page, failure, reload } = animals
  const isFinding = query.trim() !== ''
  const find = useRef<HTMLDivElement>(null)
  useTitle(view.isAdding ? 'Add an animal' : isFinding ? `Find “${query.trim()}”` : titleOf(view))

  useEffect(() => {
    if (failure instanceof AuthenticationError) onRefused(failure.message)
  }, [failure, onRefused])

  const refresh = useCallback(() => {
    reload()
    void survey.look()
  }, [reload, survey])

  useEffect(
    () =>
      additions.listen({
        onAdded: (pet, isFormDone) => {
          survey.own(pet)
          refresh()
          if (isFormDone) closeForm()
        },
        onRefused,
      }),
    [additions, survey, refresh, closeForm, onRefused],
  )

  useShortcuts({
    '/': () => find.current?.querySelector('input')?.focus(),
    n: openForm,
    r: refresh,
    '?': () => setOpened('help'),
  })

  const showNews = () => {
    survey.seen()
    setQuery('')
    // The last page itself shows them once it is read again; from elsewhere the way leads there.
    if (page?.hasNext) newest.jump()
    else reload()
  }

  const news = attempts.flatMap(({ outcome }) => (outcome.kind === 'added' ? [outcome.pet] : []))
  return (
    <>
      <TitleRow isLoading={animals.isLoading} onRefresh={refresh} onAdd={openForm} onOpen={setOpened} />
      <div class="columns">
        <Counts survey={survey} />
        <div class="column">
          <div class="toolbar" ref={find}>
            <FindBox query={query} onQuery={setQuery} />
            <Filters view={view} go={go} />
          </div>
          {failure === undefined && <OfflineNote />}
          <NewsNote survey={survey} onShow={showNews} />
          <Notes apiKey={apiKey} additions={additions} view={view} go={go} onOpen={openForm} />
          {newest.failure && <FailureNote failure={newest.failure} />}
          {isFinding ? (
            <Found query={query} view={view} survey={survey} apiKey={apiKey} onPick={setOpened} />
          ) : (
            <>
              <AnimalList
                animals={animals}
                view={view}
                added={news.at(-1)}
                onAdd={openForm}
                onPick={setOpened}
                go={go}
              />
              {page && !(failure && animals.isOfAnotherView) && (
                <Pager
                  page={page}
                  view={view}
                  trail={trail}
                  go={go}
                  isLoading={animals.isLoading}
                  newest={newest}
                />
              )}
            </>
          )}
          <RequestDetails exchange={animals.exchange} />
        </div>
      </div>
      <Sheets
        opened={view.isAdding ? 'add' : opened}
        apiKey={apiKey}
        additions={additions}
        view={view}
        exchange={animals.exchange}
        onChanged={refresh}
        onClose={view.isAdding ? closeForm : () => setOpened(undefined)}
      />
    </>
  )
}
