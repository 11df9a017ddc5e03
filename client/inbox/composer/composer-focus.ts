/** On touch devices, focusing would open a keyboard over the messages. */
export const hasKeyboard = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches

export const focusComposer = (): void =>
  document.querySelector<HTMLElement>('.composer textarea:not([readonly])')?.focus({ preventScroll: true })

/**
 * Call it before something opens over the chat: when it closes, focus returns to the composer. A menu first focuses its
 * own button, within the same event.
 */
export const focusComposerFirst = (): void => {
  if (hasKeyboard()) queueMicrotask(focusComposer)
}

/** Call it when a popover closes, which returns focus to its button first. */
export const focusComposerAfter = (): void => {
  if (hasKeyboard()) requestAnimationFrame(() => setTimeout(focusComposer))
}
