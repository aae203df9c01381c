import { Sheet } from '../parts/sheet.tsx'
import { useBrowserSettings, useSettings } from '../session/session.ts'

const KEYS = [
  ['/', 'Find an animal'],
  ['n', 'Add an animal'],
  ['j k', 'Next or previous animal, as the arrow keys in the list'],
  ['?', 'Show this help'],
  ['Enter', 'In the form: add, and go on with the next animal'],
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
      </section>
      <div>
        <label class="check row">
          <input
            type="checkbox"
            aria-describedby="shortcuts-about"
            checked={hasShortcuts}
            onChange={({ currentTarget: { checked } }) => settings.set({ hasShortcuts: checked })}
          />
          Single-key shortcuts
        </label>
        <p id="shortcuts-about" class="hint">
          Turn them off if you use voice control or press keys by accident.
        </p>
      </div>
      <section aria-labelledby="help-kept">
        <h3 id="help-kept">What is kept in this browser</h3>
        <p class="muted">
          Until you close the tab: your API key, what you typed, and animals that you sent and that are not
          added yet. Signing out forgets the first two. Always: category names and your settings.
        </p>
      </section>
    </Sheet>
  )
}
