/**
 * What people do before the page has its scripts: on a slow connection somebody types and presses while nothing
 * listens yet. Runs first, by itself, in the head; it must not use anything outside its own braces.
 *
 * An element belongs to React from the moment React has marked it; until then what happens to it is written down, and
 * done again, in order, as soon as it is marked. So everything counts once: React, which takes a part over when it hears
 * something of it, does not hear of what is written down here. Links and native popovers need no script
 * and go their own way.
 */
const listen = () => {
  type Step = { readonly kind: string; readonly target: HTMLElement; readonly again: () => void }
  const [lookMs, giveUpAfterMs] = [40, 60_000]
  const waiting: (Step & { readonly at: number })[] = []
  const isTaken = (element: Element) => Object.keys(element).some(key => key.startsWith('__reactProps$'))

  /** One at a time: what a step changes is drawn before the next. */
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

  /** What stood in a field before it was React's, which may have drawn it anew, as it knows it, before it is told. */
  const typed = new WeakMap<Element, string>()
  /** React only hears of a value that differs from the one it saw last, and it first saw this one. */
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
      // React has heard it, and all that stood there with it.
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
    keep({ kind: 'chosen', target, again: () => target.dispatchEvent(new Event('change', { bubbles: true })) })
  }
  const onPressed = (event: Event) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('button, input') : null
    const type = target?.getAttribute('type') ?? ''
    if (!target || !/^(button|checkbox|radio)$/.test(type) || target.hasAttribute('popovertarget') || isTaken(target))
      return
    event.preventDefault()
    event.stopImmediatePropagation()
    keep({ kind: 'pressed', target, again: () => target.click() })
  }
  /** Where Enter sends, it must not break the line meanwhile. */
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
    if (!(target instanceof HTMLFormElement) || isTaken(target)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // A button that is no longer there would be refused, and the form with it.
    keep({ kind: 'sent', target, again: () => target.requestSubmit(submitter?.isConnected ? submitter : null) })
  }
  document.addEventListener('input', onTyped, true)
  document.addEventListener('change', onChosen, true)
  document.addEventListener('click', onPressed, true)
  document.addEventListener('keydown', onEnter, true)
  document.addEventListener('submit', onSent, true)
}

/** Script text. */
export const earlyScript = `(${listen.toString()})()`
