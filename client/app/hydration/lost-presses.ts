/**
 * A row may be re-rendered or move between pressing and releasing the mouse. Then browsers fire no click, or one on
 * another element. This script fires a click on the element where the press began, if it still exists. It runs in the
 * head, because hydration can also happen under a pointer, and must not use anything outside its own braces.
 */
const listen = () => {
  type Press = { readonly target: Element; readonly control: Element; readonly box: DOMRect; x: number; y: number }
  /** A larger movement is a drag or scroll, or the person changed their mind. */
  const slopPx = 10
  const controlOf = (target: EventTarget | null) => (target instanceof Element ? target.closest('a, button') : null)
  let press: Press | undefined

  // Listens for the event before `mousedown`, because `mousedown` can trigger hydration.
  const onDown = ({ button, target, clientX: x, clientY: y }: MouseEvent) => {
    const control = controlOf(target)
    press =
      button === 0 && control
        ? { target: target as Element, control, box: control.getBoundingClientRect(), x, y }
        : undefined
  }
  /**
   * Returns the target of a click that the browser does not fire. `undefined` if it does fire it, or if there is none.
   */
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
    // The browser's own click would come before this.
    setTimeout(() => {
      document.removeEventListener('click', hear, true)
      if (!isHeard) lost.dispatchEvent(new MouseEvent('click', event))
    })
  }
  document.addEventListener('pointerdown', onDown, true)
  document.addEventListener('mouseup', onUp, true)
}

/** The script as text. */
export const lostPressesScript = `(${listen.toString()})()`
