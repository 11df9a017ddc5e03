import { type ComponentType, useEffect, useState } from 'react'
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
    if (Loaded) return <Loaded {...props} />
    return Before ? <Before {...props} /> : null
  }
