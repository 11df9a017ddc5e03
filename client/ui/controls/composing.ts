/**
 * The key belongs to an input method (IME). Safari ends the composition before it reports the key that ended it; then
 * only the key's code tells.
 * @see https://developer.mozilla.org/docs/Web/API/Element/keydown_event#keydown_events_with_ime
 */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === 229
