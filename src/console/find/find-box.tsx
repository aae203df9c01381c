interface Props {
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** Always there and small; what it finds is shown by a part that is loaded when it is used. */
export const FindBox = ({ query, onQuery }: Props) => (
  <search class="find">
    <input
      id="find"
      class="input"
      type="search"
      aria-label="Find by name or ID"
      placeholder="Find by name or ID"
      autocomplete="off"
      spellcheck={false}
      aria-keyshortcuts="/"
      value={query}
      onInput={event => onQuery(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onQuery('')
      }}
    />
  </search>
)
