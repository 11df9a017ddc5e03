export const titleMs = 10_000
export const titleAfterReturnMs = 1_000
const bell = '🔔'

/** What a title alert needs of the tab; held by tests. */
export interface TitleDoors {
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
export function createTitleAlert(doors: TitleDoors) {
  let own: string | undefined
  let before = ''
  let cancel = () => {}
  const restore = () => {
    cancel()
    if (own !== undefined && doors.getTitle() === own) doors.setTitle(before)
    own = undefined
  }
  const stop = doors.onVisibility(() => {
    if (own === undefined || !doors.isVisible()) return
    cancel()
    cancel = doors.after(titleAfterReturnMs, restore)
  })
  return {
    /** Nothing happens in a tab that is looked at. */
    alert(text: string) {
      if (doors.isVisible()) return
      if (own === undefined || doors.getTitle() !== own) before = doors.getTitle()
      own = `${bell} ${text}`
      doors.setTitle(own)
      cancel()
      cancel = doors.after(titleMs, restore)
    },
    close() {
      restore()
      stop()
    },
  }
}

export const tabDoors: TitleDoors = {
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
