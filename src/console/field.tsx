import type { ComponentChildren } from 'preact'

interface Described {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

interface Props {
  readonly id: string
  readonly label: string
  readonly hint?: ComponentChildren
  readonly problem: string | undefined
  readonly children: (described: Described) => ComponentChildren
}

/** A labelled input with its rule below it, and in place of nothing what is wrong with it. */
export function Field({ id, label, hint, problem, children }: Props) {
  const about = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div class={`field ${problem ? 'field-invalid' : ''}`}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': problem !== undefined, 'aria-describedby': about || undefined })}
      {problem && (
        <p id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
