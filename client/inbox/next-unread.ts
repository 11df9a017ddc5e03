/** Conversations of the list, as they stand. */
export const rows = () => [...document.querySelectorAll<HTMLElement>('.rows a.row')]
export const isHere = (row: HTMLElement) => row === document.activeElement
export const isOpen = (row: HTMLElement) => row.getAttribute('aria-current') === 'true'

/** The first unread one below, else the first of all. */
export const openNextUnread = () => {
  const all = rows()
  const here = Math.max(all.findIndex(isHere), all.findIndex(isOpen))
  const unread = (row: HTMLElement) => row.classList.contains('row-unread') && !isOpen(row)
  ;(all.find((row, place) => place > here && unread(row)) ?? all.find(unread))?.click()
}
