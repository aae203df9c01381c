import { Check } from '../parts/fields.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { useBrowserSettings, useSettings } from '../session/session.ts'

const KEYS = [
  ['/', 'Find an animal'],
  ['n', 'Add an animal'],
  ['r', 'Refresh the list'],
  ['?', 'Show this help'],
] as const

const ANSWERS = [
  [
    'Can I edit, sell or delete an animal?',
    'No. The service lists, adds and fetches animals, and has no operation that changes or removes one. Its status is set when it is added.',
  ],
  [
    'Can I add the same animal twice by accident?',
    'Not by a double click, a lost connection or a reload: each form is added once. Two forms are two animals.',
  ],
  [
    'Where do the category names come from?',
    'You define them, and they are stored only in this browser. Open an animal to name its category.',
  ],
  [
    'What is stored in this browser?',
    'Your key until you close the tab or sign out, what you typed but did not send, category names, and your settings.',
  ],
] as const

export function HelpSheet() {
  const { hasShortcuts } = useSettings()
  const settings = useBrowserSettings()
  return (
    <Sheet title="Help" isOnlyShown>
      <section aria-labelledby="help-keys">
        <h3 id="help-keys">Shortcuts</h3>
        <dl class="facts">
          {KEYS.map(([key, meaning]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </>
          ))}
          <dt>
            <kbd>Ctrl+Enter</kbd>
          </dt>
          <dd>In the form: add and start another</dd>
        </dl>
        <Check
          id="shortcuts"
          label="Single-key shortcuts"
          hint="Turn them off if you speak to your computer, or press keys by accident."
          isChecked={hasShortcuts}
          onChange={isOn => settings.set({ hasShortcuts: isOn })}
        />
      </section>
      <section aria-labelledby="help-answers">
        <h3 id="help-answers">Questions</h3>
        {ANSWERS.map(([question, answer]) => (
          <details key={question} class="fold answer">
            <summary>{question}</summary>
            <p class="muted">{answer}</p>
          </details>
        ))}
      </section>
    </Sheet>
  )
}
