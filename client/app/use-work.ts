import { useRef, useState } from 'react'

/**
 * Runs work of a form, one piece at a time: `const [isWorking, work] = useWork()`. Unlike that of a transition,
 * `isWorking` ends in the same rendering that shows a refusal, so that a person may try again as soon as they see it.
 * Work that leads to another page keeps `useTransition`, which lasts until that page is there.
 */
export function useWork(): readonly [isWorking: boolean, work: (run: () => Promise<unknown>) => void] {
  const [isWorking, setIsWorking] = useState(false)
  const isBusy = useRef(false)
  const work = (run: () => Promise<unknown>) => {
    if (isBusy.current) return
    isBusy.current = true
    setIsWorking(true)
    run()
      .catch((error: unknown) => {
        // What `run` does not expect is shown by the page's boundary.
        setIsWorking(() => {
          throw error
        })
      })
      .finally(() => {
        isBusy.current = false
        setIsWorking(false)
      })
  }
  return [isWorking, work]
}
