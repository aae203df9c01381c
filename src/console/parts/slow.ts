import { useEffect, useState } from 'preact/hooks'

const SLOW_AFTER_MS = 1500

/** Whether something has been going on for so long that one should be told. */
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
