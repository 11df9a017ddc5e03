import { useEffect } from 'react'
import { useSteady } from '#client/ui/page/steady.ts'

/** Rows of the list in the page. */
export const rows = () => [...document.querySelectorAll<HTMLElement>('.rows a.row')]
export const isHere = (row: HTMLElement) => row === document.activeElement
export const isOpen = (row: HTMLElement) => row.getAttribute('aria-current') === 'true'

/** The address of the row after the open one, or of the one before it. Undefined: the open chat is in no list. */
export const addressBeside = (): string | undefined => {
  const all = rows()
  const here = all.findIndex(isOpen)
  const beside = here < 0 ? undefined : (all[here + 1] ?? all[here - 1])
  return beside?.getAttribute('href') ?? undefined
}

/** Focuses the row with this address once it is there, if the focus was in the list or on nothing. */
export const focusRowAt = (address: string): void => {
  const { activeElement } = document
  if (activeElement !== document.body && !activeElement?.closest('.rows, .pane-head')) return
  rows()
    .find(row => row.getAttribute('href') === address)
    ?.focus()
}

let openFurther: (() => void) | undefined
/** `open`: opens an unread row that is loaded but not in the page. */
export const useFurtherUnread = (open: () => void): void => {
  const steady = useSteady({ open })
  useEffect(() => {
    openFurther = steady.open
    return () => {
      openFurther = undefined
    }
  }, [steady])
}

/** The next unread one below, otherwise the first of all. */
export const openNextUnread = () => {
  const all = rows()
  const here = Math.max(all.findIndex(isHere), all.findIndex(isOpen))
  const unread = (row: HTMLElement) => row.classList.contains('row-unread') && !isOpen(row)
  const next = all.find((row, place) => place > here && unread(row)) ?? all.find(unread)
  if (next) next.click()
  else openFurther?.()
}
