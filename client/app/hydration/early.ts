/**
 * Records clicks and typing before the page's scripts run, on slow connections. It runs first, in the head, and must
 * not use anything outside its own braces.
 *
 * This script records the events of an element until React has committed its hydration, and then replays them in order.
 * So every event counts once: React hydrates a part when it receives an event in it, but it does not receive recorded
 * ones. Links and native popovers need no script and work at once.
 */
const listen = () => {
  type Step = { readonly kind: string; readonly target: HTMLElement; readonly again: () => void }
  const [lookMs, giveUpAfterMs] = [40, 60_000]
  const waiting: (Step & { readonly at: number })[] = []
  type Fiber = { readonly flags: number; readonly alternate: unknown; readonly return: Fiber | null }
  /** React's flag of a part that it hydrates and has not committed. */
  const isHydrating = 4096
  /**
   * React marks an element already while it hydrates its part. Until it commits the part, it drops events of the
   * element, and a box ticked by the person counts as never changed. React itself finds out by the same walk
   * (`getNearestMountedFiber`).
   */
  const isTaken = (element: Element) => {
    const key = Object.keys(element).find(name => name.startsWith('__reactFiber$'))
    const own = key ? (element as unknown as Record<string, Fiber>)[key] : undefined
    if (!own) return false
    for (let at: Fiber | null = own; at && !at.alternate; at = at.return) if (at.flags & isHydrating) return false
    return true
  }

  /** One at a time: a step's changes are rendered before the next. */
  const look = () => {
    const [first] = waiting
    if (!first) return
    const isGone = !first.target.isConnected || performance.now() - first.at > giveUpAfterMs
    const isReady = isGone || isTaken(first.target)
    if (isReady) waiting.shift()
    if (waiting.length) setTimeout(look, isReady ? 0 : lookMs)
    if (isReady && !isGone) first.again()
  }
  const keep = (step: Step) => {
    if (waiting.some(({ kind, target }) => kind === step.kind && target === step.target)) return
    waiting.push({ ...step, at: performance.now() })
    if (waiting.length === 1) setTimeout(look, lookMs)
  }

  /** Values typed or chosen before hydration. React may reset a field to the value it knows, before it gets the event. */
  const typed = new WeakMap<Element, string>()
  /** React ignores an input event unless the value differs from the last one it saw, and it first saw this one. */
  const tellValue = (field: HTMLInputElement | HTMLTextAreaElement) => {
    const value = typed.get(field)
    if (value === undefined) return
    const { selectionStart, selectionEnd } = field
    const isAsTyped = field.value === value
    field.value = ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
    if (document.activeElement === field && selectionStart !== null && isAsTyped)
      field.setSelectionRange(selectionStart, selectionEnd)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const onTyped = ({ target }: Event) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (!isField || /^(checkbox|radio|file)$/.test(target.type)) return
    if (isTaken(target)) {
      // React received this event and the whole value.
      typed.delete(target)
      return
    }
    typed.set(target, target.value)
    keep({ kind: 'typed', target, again: () => tellValue(target) })
  }
  const onChosen = (event: Event) => {
    const { target } = event
    const isChoice =
      target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'file')
    if (!isChoice || isTaken(target)) return
    event.stopImmediatePropagation()
    typed.set(target, target.value)
    const again = () => {
      // A render before this may have set the option that React knows.
      if (target instanceof HTMLSelectElement) target.value = typed.get(target) ?? target.value
      target.dispatchEvent(new Event('change', { bubbles: true }))
    }
    keep({ kind: 'chosen', target, again })
  }
  /** Before the first press, and after the last. */
  const ticked = new WeakMap<HTMLInputElement, { readonly before: boolean; now: boolean }>()
  /** React ignores a press unless the box differs from what it last saw, and it may have reset the box. */
  const tellTick = (box: HTMLInputElement) => {
    const tick = ticked.get(box)
    if (!tick) return
    box.checked = tick.now === tick.before ? tick.now : !tick.now
    if (tick.now !== tick.before) box.click()
  }
  const onPressed = (event: Event) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('button, input') : null
    const type = target?.getAttribute('type') ?? ''
    if (!target || !/^(button|checkbox|radio)$/.test(type) || target.hasAttribute('popovertarget') || isTaken(target))
      return
    event.stopImmediatePropagation()
    if (!(target instanceof HTMLInputElement) || type === 'button') {
      event.preventDefault()
      return keep({ kind: 'pressed', target, again: () => target.click() })
    }
    // The browser has ticked it already, and it stays so.
    const tick = ticked.get(target)
    if (tick) tick.now = target.checked
    else ticked.set(target, { before: type === 'checkbox' && !target.checked, now: target.checked })
    keep({ kind: 'ticked', target, again: () => tellTick(target) })
  }
  /** Keeps Enter from inserting a line break before hydration, in a field where it sends. */
  const onEnter = (event: KeyboardEvent) => {
    const { target, key } = event
    if (key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    if (!(target instanceof HTMLTextAreaElement) || target.enterKeyHint !== 'send' || isTaken(target)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const again = () => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    keep({ kind: 'entered', target, again })
  }
  const onSent = (event: SubmitEvent) => {
    const { target, submitter } = event
    if (!(target instanceof HTMLFormElement)) return
    // React may know the form already, and its fields not yet.
    if (isTaken(target) && !waiting.some(step => target.contains(step.target))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // `requestSubmit` throws for a button that was removed.
    keep({ kind: 'sent', target, again: () => target.requestSubmit(submitter?.isConnected ? submitter : null) })
  }
  document.addEventListener('input', onTyped, true)
  document.addEventListener('change', onChosen, true)
  document.addEventListener('click', onPressed, true)
  document.addEventListener('keydown', onEnter, true)
  document.addEventListener('submit', onSent, true)
}

/** The script as text. */
export const earlyScript = `(${listen.toString()})()`
