import { useEffect, useState } from 'preact/hooks'

const NAME = 'petstore-rows'

/** Comfortable rows, or dense ones: kept in this browser. */
export function useDensity(): readonly [boolean, () => void] {
  const [isDense, setDense] = useState(() => localStorage.getItem(NAME) === 'dense')
  useEffect(() => {
    document.documentElement.classList.toggle('dense', isDense)
    if (isDense) localStorage.setItem(NAME, 'dense')
    else localStorage.removeItem(NAME)
  }, [isDense])
  return [isDense, () => setDense(!isDense)]
}
