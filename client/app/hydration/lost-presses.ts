/**
 * A row is drawn anew the moment something happens to it, or moves on when something comes in above or below it, also
 * between the two halves of a press: what was pressed is gone or elsewhere when the button is let go, and browsers tell
 * of no click, or of one of what lies there now. Told here of what the press began on, if it is still there.
 * Runs by itself in the head, for a page is taken over beneath a pointer, too; it must not use anything outside its own
 * braces.
 */
const listen = () => {
  type Press = { readonly target: Element; readonly control: Element; readonly box: DOMRect; x: number; y: number }
  /** Farther than this a pointer draws, scrolls or has thought better of it. */
  const slopPx = 10
  const controlOf = (target: EventTarget | null) => (target instanceof Element ? target.closest('a, button') : null)
  let press: Press | undefined

  // Before `mousedown`: what takes the page over beneath a pointer does so between the two.
  const onDown = ({ button, target, clientX: x, clientY: y }: MouseEvent) => {
    const control = controlOf(target)
    press =
      button === 0 && control
        ? { target: target as Element, control, box: control.getBoundingClientRect(), x, y }
        : undefined
  }
  /** What is to be told of a click that a browser does not; undefined: it does, or it was none. */
  const lostBy = ({ target: now, clientX, clientY }: MouseEvent, { target, control, box, x, y }: Press) => {
    if (controlOf(now) === control) return target.isConnected ? undefined : now
    const { left, top } = control.getBoundingClientRect()
    const hasMovedOn = control.isConnected && (left !== box.left || top !== box.top)
    if (!hasMovedOn || control.matches(':disabled') || Math.hypot(clientX - x, clientY - y) > slopPx) return undefined
    return target.isConnected ? target : control
  }
  const onUp = (event: MouseEvent) => {
    const began = press
    press = undefined
    const lost = began && event.button === 0 ? lostBy(event, began) : undefined
    if (!lost) return
    let isHeard = false
    const hear = (click: MouseEvent) => {
      if (controlOf(click.target) === began?.control) isHeard = true
      else {
        click.preventDefault()
        click.stopImmediatePropagation()
      }
    }
    document.addEventListener('click', hear, true)
    // A browser that tells of it does so before anything else.
    setTimeout(() => {
      document.removeEventListener('click', hear, true)
      if (!isHeard) lost.dispatchEvent(new MouseEvent('click', event))
    })
  }
  document.addEventListener('pointerdown', onDown, true)
  document.addEventListener('mouseup', onUp, true)
}

/** Script text. */
export const lostPressesScript = `(${listen.toString()})()`
