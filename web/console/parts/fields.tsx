import type { ComponentChildren, ComponentProps } from 'preact'
import { addressOf, changed, useNavigation, type View } from '../list/view.ts'
import { Icon } from './icon.tsx'

type ButtonProps = ComponentProps<'button'> & {
  /** One or more of `small`, `square`, `wide`, `primary` and `quiet`. */
  readonly look?: string
  /** Keeps it in the tab order, so that the focus is not lost. */
  readonly isOff?: boolean
}

export const Button = ({ look = '', isOff = false, onClick, ...rest }: ButtonProps) => (
  <button
    type="button"
    class={`button ${look.replace(/\w+/g, 'button-$&')}`}
    aria-disabled={isOff || undefined}
    onClick={isOff ? undefined : onClick}
    {...rest}
  />
)

type LinkProps = 'children' | 'class' | 'style' | 'tabIndex' | 'aria-current' | 'aria-label'
type ViewLinkProps = Pick<ComponentProps<'a'>, LinkProps> & { readonly to: Partial<View> }

/** A link to another view. It opens in place, or elsewhere if the browser is asked to. */
export function ViewLink({ to, ...rest }: ViewLinkProps) {
  const { view, go, open } = useNavigation()
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    if (to.sheet) open(to.sheet)
    else go(to)
  }
  return <a href={addressOf(to.sheet ? { ...view, ...to } : changed(view, to))} onClick={follow} {...rest} />
}

type TextFieldProps = ComponentProps<'input'> & {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly problem?: string | undefined
}

export function TextField({ id, label, hint, problem, ...input }: TextFieldProps) {
  const about = problem ?? hint
  return (
    <div class={`field stack ${problem ? 'field-invalid' : ''}`}>
      <label for={id}>{label}</label>
      <input
        type="text"
        class="input"
        autocomplete="off"
        {...input}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={about ? `${id}-about` : undefined}
      />
      {about && (
        <p id={`${id}-about`} class={problem ? 'problem' : 'hint'} role={problem ? 'alert' : undefined}>
          {about}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  readonly legend: string
  readonly name: string
  readonly values: readonly Value[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly children: (value: Value) => ComponentChildren
}

export const Choice = <Value extends string>(props: ChoiceProps<Value>) => (
  <fieldset class="field">
    <legend>{props.legend}</legend>
    <div class="segments">
      {props.values.map(value => (
        <label key={value} class="segment">
          <input
            type="radio"
            name={props.name}
            value={value}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          {props.children(value)}
          <Icon name="check" />
        </label>
      ))}
    </div>
  </fieldset>
)

export function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has started to save the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
