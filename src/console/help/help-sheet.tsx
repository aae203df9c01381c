import { Sheet } from '../parts/sheet.tsx'

const KEYS = [
  ['/', 'Find an animal'],
  ['n', 'Add an animal'],
  ['r', 'Refresh the list'],
  ['?', 'Show this help'],
  ['Esc', 'Close the open dialog'],
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
    'Your key until you close the tab or sign out, what you typed but did not send, category names, and your row settings.',
  ],
] as const

export const HelpSheet = ({ onClose }: { onClose: () => void }) => (
  <Sheet title="Help" onClose={onClose}>
    <section aria-labelledby="help-keys">
      <h3 id="help-keys">Shortcuts</h3>
      <dl class="keys">
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
    <section aria-labelledby="help-answers" class="answers">
      <h3 id="help-answers">Questions</h3>
      {ANSWERS.map(([question, answer]) => (
        <details key={question} class="fold">
          <summary>{question}</summary>
          <p class="muted">{answer}</p>
        </details>
      ))}
    </section>
    <div class="sheet-actions">
      <button type="button" class="button" data-first onClick={onClose}>
        Close
      </button>
    </div>
  </Sheet>
)
