import { useState } from 'react'

/**
 * Runs work of a form: `const [isWorking, work] = useWork()`. Unlike that of a transition, `isWorking` ends in the same
 * rendering that shows a refusal, so that a person may try again as soon as they see it. Work that leads to another page
 * keeps `useTransition`, which lasts until that page is there.
 */
export function useWork(): readonly [isWorking: boolean, work: (run: () => Promise<unknown>) => void] {
  const [running, setRunning] = useState(0)
  const work = (run: () => Promise<unknown>) => {
    setRunning(count => count + 1)
    run()
      .catch((error: unknown) => {
        // What `run` does not expect is shown by the page's boundary.
        setRunning(() => {
          throw error
        })
      })
      .finally(() => setRunning(count => count - 1))
  }
  return [running > 0, work]
}
