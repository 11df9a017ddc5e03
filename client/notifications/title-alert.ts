export const titleMs = 10_000
export const titleAfterReturnMs = 1_000
const bell = '🔔'

/** What a title alert needs of the tab; held by tests. */
export interface TitleEntrances {
  getTitle(): string
  setTitle(title: string): void
  isVisible(): boolean
  /** Calls back whenever the tab is shown or hidden; answers how to stop. */
  onVisibility(run: () => void): () => void
  /** Answers how to call it off. */
  after(ms: number, run: () => void): () => void
}

/**
 * Says something in the title of a tab that nobody looks at. The old title comes back after 10 seconds, or 1 second
 * after the tab is looked at; a page that set its own meanwhile keeps it.
 */
export function createTitleAlert(entrances: TitleEntrances) {
  let own: string | undefined
  let before = ''
  let cancel = () => {}
  const restore = () => {
    cancel()
    if (own !== undefined && entrances.getTitle() === own) entrances.setTitle(before)
    own = undefined
  }
  const stop = entrances.onVisibility(() => {
    if (own === undefined || !entrances.isVisible()) return
    cancel()
    cancel = entrances.after(titleAfterReturnMs, restore)
  })
  return {
    /** Nothing happens in a tab that is looked at. */
    alert(text: string) {
      if (entrances.isVisible()) return
      if (own === undefined || entrances.getTitle() !== own) before = entrances.getTitle()
      own = `${bell} ${text}`
      entrances.setTitle(own)
      cancel()
      cancel = entrances.after(titleMs, restore)
    },
    close() {
      restore()
      stop()
    },
  }
}

export const tabEntrances: TitleEntrances = {
  getTitle: () => document.title,
  setTitle: title => {
    document.title = title
  },
  isVisible: () => document.visibilityState === 'visible',
  onVisibility(run) {
    document.addEventListener('visibilitychange', run)
    return () => document.removeEventListener('visibilitychange', run)
  },
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
