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

/** A labelled input, and below it its rule or, where there is one, the problem with it. */
export function Field({ id, label, hint, problem, children }: Props) {
  const aboutId = `${id}-about`
  return (
    <div class={`field ${problem ? 'field-invalid' : ''}`}>
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': problem || hint ? aboutId : undefined,
      })}
      {problem ? (
        <p id={aboutId} class="problem" role="alert">
          {problem}
        </p>
      ) : (
        hint && (
          <p id={aboutId} class="hint">
            {hint}
          </p>
        )
      )}
    </div>
  )
}
