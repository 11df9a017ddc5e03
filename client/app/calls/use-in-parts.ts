import { useEffect, useRef, useState } from 'react'

interface PartsProgress {
  readonly done: number
  readonly count: number
}

/**
 * Runs one change for many rows, `size` in each call: as many as the API takes. `progress` is set while there is more
 * than one call. A stop takes effect between two calls.
 */
export function useInParts(size: number) {
  const [progress, setProgress] = useState<PartsProgress>()
  const isStopped = useRef(false)
  const isWorking = progress !== undefined
  useEffect(() => {
    if (!isWorking) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isWorking])
  return {
    progress,
    size,
    stop: () => {
      isStopped.current = true
    },
    /** Returns for how many it was run: fewer after a stop. @throws what `change` throws */
    run: async <T>(rows: readonly T[], change: (part: readonly T[]) => Promise<unknown>): Promise<number> => {
      isStopped.current = false
      let done = 0
      try {
        while (done < rows.length && !isStopped.current) {
          if (rows.length > size) setProgress({ done, count: rows.length })
          const part = rows.slice(done, done + size)
          await change(part)
          done += part.length
        }
      } finally {
        setProgress(undefined)
      }
      return done
    },
  }
}

export type InParts = ReturnType<typeof useInParts>
