import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { MAX_FILE_BYTES, readingsOf, UnknownEncoding, UnreadableFile } from '../../../src/transfer/decode.ts'
import { isRemembered } from '../add/attempt.ts'
import { Reading } from '../list/reading.tsx'
import { useNavigation, viewOf } from '../list/view.ts'
import { Button, save } from '../parts/fields.tsx'
import { Observed, useObserved, useWindowEvents } from '../parts/hooks.ts'
import { Sheet } from '../parts/sheet.tsx'
import { animals } from '../parts/words.ts'
import { useBrowserSettings, useSession } from '../session/session.ts'
import { type ChosenFile, type ImportFile, importFile } from './import-file.ts'
import { ImportRun } from './import-run.ts'
import { Heading, Progress } from './progress.tsx'
import { CategoryQuestion, Doubts, ReadingQuestion, type UnsureFile } from './questions.tsx'
import { showText } from './words.ts'

const EXAMPLE = 'name,categoryId,status\r\nRex,7,available\r\n"Mia, the second",7,pending\r\nBo,12,sold\r\n'
const TITLES: Readonly<Record<string, string>> = {
  none: 'Import animals',
  unsure: 'Does this look right?',
  comparing: 'Comparing with the store…',
}
const bringIntoView = (shown: Element | null): void => shown?.scrollIntoView()
const NOTHING_ASKED = new Set<never>()
const NO_RUN = new Observed<ImportRun | undefined>(undefined)

/** A button's text and what it does, if anything. */
type Step = readonly [string, (() => unknown)?]

export function ImportSheet() {
  const { apiKey, index, importing } = useSession()
  const settings = useBrowserSettings()
  const { go } = useNavigation()
  const run = useObserved(useObserved(importing)?.state ?? NO_RUN)
  const { pets, news, readAt = 0 } = useObserved(index.state)
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const [unsure, setUnsure] = useState<UnsureFile>()
  const isComparing = run?.stage === 'preview' && readAt < run.file.chosenAt
  const stage = unsure ? 'unsure' : isComparing ? 'comparing' : (run?.stage ?? 'none')
  useLayoutEffect(() => () => void index.refresh(), [index])
  const show = (file: ImportFile) => importing.set(new ImportRun(file, index, apiKey))
  // Before the browser paints: nobody sees what another state of the store would mean.
  useLayoutEffect(() => {
    const { value } = importing
    if (value?.stage === 'preview') show(value.file)
  }, [pets, news.length])

  const load = (chosen: ChosenFile) => show(importFile(chosen, settings.state.value.categoryNames))
  const read = (chosen: ChosenFile) => {
    setUnsure(undefined)
    try {
      load(chosen)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      const readings = error instanceof UnknownEncoding ? readingsOf(chosen.bytes) : []
      if (!readings[0]) return setProblem(`${chosen.name}: ${error.message}`)
      setUnsure({ ...chosen, readings, encoding: readings[0].encoding })
    }
    // The focus stays in the sheet when the button that had it is gone, and the next stage is read out.
    document.getElementById('sheet-title')?.focus()
  }
  const take = async ([file, another]: Iterable<File>) => {
    if (file === undefined || stage === 'running') return
    setProblem(another && 'Choose one file at a time.')
    if (another) return
    // Reads only enough of a file that is too large to reject it.
    const reading = file.slice(0, MAX_FILE_BYTES + 1).arrayBuffer()
    const bytes = await reading.catch(() => undefined)
    if (!bytes)
      return setProblem(`${file.name} cannot be read. Close it in other programs, then choose it again.`)
    const answers = run?.file.answers ?? new Map<string, string>()
    const [chosenAt, asked] = [Date.now(), NOTHING_ASKED]
    read({ bytes: new Uint8Array(bytes), name: file.name, chosenAt, answers, asked })
    void index.refresh()
  }
  useWindowEvents(['drop'], event => void take((event as DragEvent).dataTransfer?.files ?? []))

  const start = () => {
    const started = importing.value
    for (const { name, number, problem } of started?.file.unnumbered ?? [])
      if (!problem && !Object.hasOwn(settings.state.value.categoryNames, number))
        settings.nameCategory(number, name)
    void started?.run()
  }
  const resume = () => {
    if (run?.index === index && isRemembered(run.startedAt)) return run.run()
    // The service may not recognise what was sent, so that is looked for in the store.
    if (run) show({ ...run.file, chosenAt: Date.now(), asked: NOTHING_ASKED })
    return index.refresh()
  }
  const choose = () => input.current?.click()
  const added = run?.added.size ?? 0
  const toGo = run?.toGo ?? 0
  const isToCorrect = stage === 'done' && run && run.bad.length > 0
  const other: Step = [isToCorrect ? 'Choose the corrected file' : 'Choose another file', choose]
  const steps: Readonly<Record<typeof stage, readonly Step[]>> = {
    none: [],
    unsure: [other, ['Yes, continue', () => unsure && read(unsure)]],
    comparing: [other],
    preview: toGo > 0 ? [other, [`Add ${animals(toGo)}`, start]] : [other],
    running: [['Pause', () => run?.pause()], ['Adding…']],
    paused: [other, ['Resume', resume]],
    done: added > 0 ? [other, [showText(added), () => go(viewOf('', ''))]] : [other],
  }
  const footer = steps[stage].map(([label, act], place) => (
    <Button
      key={place}
      class={place === 0 ? 'button' : 'button button-primary push'}
      isOff={!act}
      onClick={() => {
        setProblem(undefined)
        if (act) act()
      }}
    >
      {label}
    </Button>
  ))
  const shown = unsure ?? run?.file
  return (
    <Sheet
      title={TITLES[stage] ?? (run && <Heading run={run} />)}
      look="wide"
      footer={footer.length > 0 && footer}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
        onChange={event => {
          void take(event.currentTarget.files ?? [])
          // Allows the same file to be chosen again.
          event.currentTarget.value = ''
        }}
      />
      {problem && (
        <p key={problem} class="problem" role="alert" ref={bringIntoView}>
          {problem}
          {shown && ` Below is still the file that you chose before, ${shown.name}.`}
        </p>
      )}
      {stage === 'none' && <FilePicker onChoose={choose} />}
      {unsure && <ReadingQuestion file={unsure} onChoose={setUnsure} />}
      {stage === 'comparing' && <Reading />}
      {!unsure && !isComparing && run && (
        <Progress run={run}>
          {stage === 'preview' && (
            <>
              <Doubts run={run} onChoose={show} />
              <CategoryQuestion file={run.file} onChoose={load} />
            </>
          )}
        </Progress>
      )}
    </Sheet>
  )
}

const FilePicker = ({ onChoose }: { onChoose: () => void }) => (
  <>
    <div class="drop stack">
      <div class="row">
        <Button look="primary" autofocus aria-describedby="file-about" onClick={onChoose}>
          Choose a file
        </Button>
        <Button onClick={() => save(new Blob([EXAMPLE], { type: 'text/csv' }), 'example.csv')}>
          Save an example
        </Button>
      </div>
      <p id="file-about" class="hint">
        Or drop it here. CSV from any spreadsheet, with a first line that names the columns <code>name</code>,{' '}
        <code>categoryId</code> and, if you like, <code>status</code>; or NDJSON, one JSON object on each
        line. Nothing is added before you have seen it.
      </p>
    </div>
    <p class="small muted">
      Animals cannot be removed, so an import cannot be undone. To continue later, choose the same file again
      within a day and with the same key, corrected or not: what was added is not added twice.
    </p>
  </>
)
