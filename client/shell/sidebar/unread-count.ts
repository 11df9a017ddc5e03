import type { QueryClient } from '@tanstack/react-query'
import { keyFor, queryFor } from '#client/app/queries/queries.ts'

const pauseMs = 3000

/** Chats count whether they are loaded or not. */
export const unreadQuery = (org: string) => queryFor(org, 'inbox.countUnread', {})

/** Reloads the counts when they may have changed: at once, then at most once in a while. */
export function createUnreadRefresh(client: QueryClient, org: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const ask = () => {
    isDue = false
    for (const name of ['inbox.countUnread', 'inbox.countLanes', 'savedViews.countViews'] as const)
      void client.invalidateQueries({ queryKey: keyFor(org, name) })
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
