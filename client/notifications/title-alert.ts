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
  /** Calls back when the title was set, by whomever; answers how to stop. */
  onTitle(run: () => void): () => void
  /** Answers how to call it off. */
  after(ms: number, run: () => void): () => void
}

/**
 * Says something in the title of a tab that nobody looks at. The page's title comes back after 10 seconds, or 1 second
 * after the tab is looked at. What the page calls itself meanwhile (one more unread) waits until then.
 */
export function createTitleAlert(entrances: TitleEntrances) {
  let own: string | undefined
  let before = ''
  let cancel = () => {}
  const restore = () => {
    cancel()
    if (own === undefined) return
    own = undefined
    entrances.setTitle(before)
  }
  const stopTitle = entrances.onTitle(() => {
    const title = entrances.getTitle()
    if (own === undefined || title === own) return
    before = title
    entrances.setTitle(own)
  })
  const stopVisibility = entrances.onVisibility(() => {
    if (own === undefined || !entrances.isVisible()) return
    cancel()
    cancel = entrances.after(titleAfterReturnMs, restore)
  })
  return {
    /** Nothing happens in a tab that is looked at. */
    alert(text: string) {
      if (entrances.isVisible()) return
      if (own === undefined) before = entrances.getTitle()
      own = `${bell} ${text}`
      entrances.setTitle(own)
      cancel()
      cancel = entrances.after(titleMs, restore)
    },
    close() {
      restore()
      stopVisibility()
      stopTitle()
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
  onTitle(run) {
    const observer = new MutationObserver(run)
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  },
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
