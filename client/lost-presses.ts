/**
 * A row is drawn anew the moment something happens to it, also between the two halves of a press: then what was pressed
 * is gone when the button is let go, and browsers tell of no click. Told here, if the link around it is still the one.
 * Runs by itself in the head, for a page is taken over beneath a pointer, too; it must not use anything outside its own
 * braces.
 */
const listen = () => {
  type Press = { readonly target: Element; readonly control: Element }
  const controlOf = (target: EventTarget | null) => (target instanceof Element ? target.closest('a, button') : null)
  let press: Press | undefined

  // Before `mousedown`: what takes the page over beneath a pointer does so between the two.
  const onDown = ({ button, target }: MouseEvent) => {
    const control = controlOf(target)
    press = button === 0 && control ? { target: target as Element, control } : undefined
  }
  const onUp = (event: MouseEvent) => {
    const isLost = press && !press.target.isConnected && controlOf(event.target) === press.control
    press = undefined
    if (!isLost || event.button !== 0) return
    let isHeard = false
    const hear = () => {
      isHeard = true
    }
    document.addEventListener('click', hear, true)
    // A browser that tells of it does so before anything else.
    setTimeout(() => {
      document.removeEventListener('click', hear, true)
      if (!isHeard) event.target?.dispatchEvent(new MouseEvent('click', event))
    })
  }
  document.addEventListener('pointerdown', onDown, true)
  document.addEventListener('mouseup', onUp, true)
}

/** Script text. */
export const lostPressesScript = `(${listen.toString()})()`
