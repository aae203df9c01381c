import { useEffect, useState } from 'preact/hooks'

const NAME = 'petstore-rows'

/** Comfortable rows, or dense ones: kept in this browser. */
export function useDensity(): readonly [boolean, () => void] {
  const [isDense, setDense] = useState(() => localStorage.getItem(NAME) === 'dense')
  useEffect(() => {
    document.documentElement.classList.toggle('dense', isDense)
  }, [isDense])
  // Kept at once: an effect comes after the next frame, and a reload may come first.
  const toggle = () => {
    if (isDense) localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, 'dense')
    setDense(!isDense)
  }
  return [isDense, toggle]
}
