import { type ComponentType, useEffect, useState } from 'react'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import { nextTurn } from '#client/app/hydration/next-turn.ts'

/** A part that the page is whole without: loaded once the page lives, and simply not there when it cannot be had. */
export const quietPart = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  /** Stands there until then. */
  Before?: ComponentType<P>,
): ComponentType<P> =>
  function QuietPart(props: P) {
    const [Loaded, setLoaded] = useState<ComponentType<P>>()
    useEffect(() => {
      let isGone = false
      const loadLater = async () => {
        // Many such parts begin in one turn.
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
