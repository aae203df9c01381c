import { useEffect, useState } from 'preact/hooks'

const SLOW_AFTER_MS = 1500

/** Whether something has taken so long that the user should know. */
export function useSlow(isGoingOn: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isGoingOn) return undefined
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isGoingOn])
  return isSlow && isGoingOn
}
