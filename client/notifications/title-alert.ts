export const titleMs = 10_000
export const titleAfterReturnMs = 1_000
const bell = '🔔'

/** The functions of the tab that a title alert needs. Tests replace them. */
interface TitleFunctions {
  getTitle(): string
  setTitle(title: string): void
  isVisible(): boolean
  /** Calls back when the tab is shown or hidden. */
  onVisibility(run: () => void): void
  /** Calls back when the title was set. */
  onTitle(run: () => void): void
  /** Returns how to cancel. */
  after(ms: number, run: () => void): () => void
}

/**
 * Shows a text in the title of a hidden tab. The page's title returns after 10 seconds, or 1 second after the tab is
 * shown. Titles the page sets meanwhile wait until then.
 */
export function createTitleAlert(tab: TitleFunctions) {
  let own: string | undefined
  let before = ''
  let cancel = () => {}
  const restore = () => {
    cancel()
    if (own === undefined) return
    own = undefined
    tab.setTitle(before)
  }
  tab.onTitle(() => {
    const title = tab.getTitle()
    if (own === undefined || title === own) return
    before = title
    tab.setTitle(own)
  })
  tab.onVisibility(() => {
    if (own === undefined || !tab.isVisible()) return
    cancel()
    cancel = tab.after(titleAfterReturnMs, restore)
  })
  return {
    /** Does nothing in a visible tab. */
    alert(text: string) {
      if (tab.isVisible()) return
      if (own === undefined) before = tab.getTitle()
      own = `${bell} ${text}`
      tab.setTitle(own)
      cancel()
      cancel = tab.after(titleMs, restore)
    },
  }
}

export const browserTab: TitleFunctions = {
  getTitle: () => document.title,
  setTitle: title => {
    document.title = title
  },
  isVisible: () => document.visibilityState === 'visible',
  onVisibility: run => document.addEventListener('visibilitychange', run),
  onTitle: run =>
    new MutationObserver(run).observe(document.head, { childList: true, characterData: true, subtree: true }),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
