import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import { nextTurn } from '#client/app/hydration/next-turn.ts'

/** An optional part of a page: loaded after hydration, and left out if it cannot be loaded. */
export const quietPart = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  /** Shown until it is loaded. */
  Before?: ComponentType<P>,
): ComponentType<P> =>
  function QuietPart(props: P) {
    const [Loaded, setLoaded] = useState<ComponentType<P>>()
    useEffect(() => {
      let isGone = false
      const loadLater = async () => {
        // Many such parts begin in one task.
        await nextTurn()
        if (isGone) return
        const { default: Part } = await loadPart(load)
        if (!isGone) setLoaded(() => Part)
      }
      loadLater().catch(() => undefined)
      return () => {
        isGone = true
      }
    }, [])
    const before = Before ? <Before {...props} /> : null
    // It waits for its texts alone, not the page around it.
    return Loaded ? (
      <Suspense fallback={before}>
        <Loaded {...props} />
      </Suspense>
    ) : (
      before
    )
  }
