import { useLayoutEffect } from 'preact/hooks'
import { useNavigation } from '../list/view.ts'
import { Button } from '../parts/fields.tsx'
import { useObserved, useOnline } from '../parts/hooks.ts'
import { Sheet } from '../parts/sheet.tsx'
import { useSession, useSettings } from '../session/session.ts'
import { Fields, focusField } from './fields.tsx'
import { Tray } from './tray.tsx'

const FORM_ID = 'add-form'

/** The form, in a sheet above the list. Its whole state is in the additions, so it may be closed at any time. */
export function AddSheet() {
  const session = useSession()
  const { additions } = session
  const { close } = useNavigation()
  const { categoryNames } = useSettings()
  const { isBlank } = useObserved(additions.state)
  const isOnline = useOnline()
  useLayoutEffect(() => () => additions.leave(), [additions])

  const submit = (isLast: boolean) => {
    const wrong = additions.submit(session, categoryNames)
    if (isLast && !wrong) close()
    else focusField(wrong ?? 'name')
  }
  const clear = () => {
    additions.clear()
    focusField('name')
  }

  const footer = (
    <>
      <Button look="quiet" isOff={isBlank} onClick={clear}>
        Clear
      </Button>
      <Button class="button push" onClick={() => submit(true)}>
        Add and close
      </Button>
      <Button type="submit" form={FORM_ID} look="primary" aria-keyshortcuts="Enter">
        Add and next{' '}
        <span class="kbd" aria-hidden="true">
          ↵
        </span>
      </Button>
    </>
  )
  return (
    <Sheet title="Add an animal" footer={footer}>
      <form
        class="stack"
        id={FORM_ID}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          submit(false)
        }}
      >
        <Fields />
        <p class="small hint live" role="status">
          {!isOnline && 'You are offline. What you type is kept.'}
        </p>
      </form>
      <Tray />
    </Sheet>
  )
}
