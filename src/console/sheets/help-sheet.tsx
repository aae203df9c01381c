import { Check } from '../parts/fields.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { useBrowserSettings, useSettings } from '../session/session.ts'

const KEYS = [
  ['/', 'Find an animal'],
  ['n', 'Add an animal'],
  ['r', 'Refresh the list'],
  ['j k', 'Next or previous animal, as the arrow keys in the list'],
  ['[ ]', 'Previous or next page'],
  ['?', 'Show this help'],
  ['Ctrl+C', 'In the list: copy the row'],
  ['Ctrl+Enter', 'In the form: add and start another'],
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
        </dl>
        <Check
          id="shortcuts"
          label="Single-key shortcuts"
          hint="Turn them off if you use voice control or press keys by accident."
          isChecked={hasShortcuts}
          onChange={isOn => settings.set({ hasShortcuts: isOn })}
        />
      </section>
      <section aria-labelledby="help-kept">
        <h3 id="help-kept">What is kept in this browser</h3>
        <p class="muted">
          Your key until you close the tab or sign out, what you typed but did not send, category names, and
          your settings. Animals that may have been added are kept even after you sign out, until you try
          again or dismiss them.
        </p>
      </section>
    </Sheet>
  )
}
