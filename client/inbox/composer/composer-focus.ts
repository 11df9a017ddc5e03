/** Where a finger writes, the focus would open a keyboard over what was to be read. */
export const hasKeyboard = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches

export const focusComposer = (): void =>
  document.querySelector<HTMLElement>('.composer textarea:not([readonly])')?.focus({ preventScroll: true })

/**
 * Before something opens over the chat: what closes gives the focus back to what had it, so the next words are written
 * where they belong. A menu first gives it to its own button, within the same event.
 */
export const focusComposerFirst = (): void => {
  if (hasKeyboard()) queueMicrotask(focusComposer)
}

/** After a popover that is closing now gave the focus back to its button. */
export const focusComposerAfter = (): void => {
  if (hasKeyboard()) requestAnimationFrame(() => setTimeout(focusComposer))
}
