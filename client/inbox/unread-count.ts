import type { QueryClient } from '@tanstack/react-query'
import { keyFor } from '#client/queries.ts'

const pauseMs = 3000

/** Asks for the count again when it may have changed: at once, then at most once in a while however much happens. */
export function createUnreadRefresh(client: QueryClient, org: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const ask = () => {
    isDue = false
    void client.invalidateQueries({ queryKey: keyFor(org, 'inbox.countUnread') })
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) ask()
    }, pauseMs)
  }
  return {
    changed() {
      isDue = true
      if (!timer) ask()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
