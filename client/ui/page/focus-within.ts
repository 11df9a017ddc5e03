/** True if the focus is in the box, or nowhere. Otherwise somebody has gone on elsewhere and keeps the focus. */
export const isFocusWithin = (box: Element | null | undefined): boolean =>
  document.activeElement === document.body || Boolean(box?.contains(document.activeElement))
