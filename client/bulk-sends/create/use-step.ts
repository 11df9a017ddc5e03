import { useEffect, useRef, useState } from 'react'

const names = ['template', 'audience', 'values', 'test', 'plan'] as const
export type StepName = (typeof names)[number]

const key = 'step'
const stepIn = (query: URLSearchParams): StepName | undefined => names.find(name => name === query.get(key))

/** `?step=` in front of the page's other parameters, so that a reload opens the same step. */
export const withStep = (address: string, step: string | null): string => {
  const url = new URL(address, 'http://page')
  if (step) url.searchParams.set(key, step)
  return `${url.pathname}${url.search}`
}

/** The open step, kept in the address, and a function that opens another and focuses its head. */
export function useStep(query: URLSearchParams, hasTemplate: boolean) {
  const [step, setStep] = useState<StepName>(() => (hasTemplate ? (stepIn(query) ?? 'audience') : 'template'))
  const head = useRef<HTMLButtonElement>(null)
  const isOpening = useRef(false)
  useEffect(() => {
    if (!isOpening.current) return
    isOpening.current = false
    head.current?.focus({ preventScroll: true })
    head.current?.scrollIntoView({ block: 'nearest' })
  })
  const open = (next: StepName) => {
    isOpening.current = true
    setStep(next)
    // Only the address changes: nothing of the page is loaded again.
    window.history.replaceState(window.history.state, '', withStep(window.location.href, next))
  }
  return { step, head, open }
}
