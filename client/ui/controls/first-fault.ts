/**
 * Scrolls to the first error of the page after the next render, because the pressed button may be screens below it. The
 * invalid field gets the focus.
 */
export const showFirstFault = (): void => {
  requestAnimationFrame(() => {
    const fault = document.querySelector<HTMLElement>('main .field-error:not([hidden] *)')
    if (!fault) return
    const described = fault.id ? document.querySelector<HTMLElement>(`[aria-describedby~="${fault.id}"]`) : null
    const beside = fault.parentElement?.querySelector<HTMLElement>(':is(input, select, textarea):not([type="file"])')
    ;(described ?? beside)?.focus({ preventScroll: true })
    fault.scrollIntoView({ block: 'center' })
  })
}
