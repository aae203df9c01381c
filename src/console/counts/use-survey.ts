import { useEffect, useMemo } from 'preact/hooks'
import { Survey } from './survey.ts'

/** Read without being asked: a hundred small requests at most. Beyond that, a person decides. */
const UNASKED = 10_000
const LOOK_EVERY_MS = 15_000

/** The survey of one signed-in person: begun when the page is idle, and kept up to date while it is looked at. */
export function useSurvey(apiKey: string): Survey {
  const survey = useMemo(() => new Survey(apiKey), [apiKey])
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== 'visible' || !navigator.onLine || survey.isLimited) return
      void (survey.state.value.failure ? survey.run(UNASKED) : survey.look())
    }
    void survey.run(UNASKED)
    const timer = setInterval(look, LOOK_EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      survey.stop()
    }
  }, [survey])
  return survey
}
