import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'
import { toast } from './toasts.tsx'

const feedbackMs = 2000

interface CopyButtonProps {
  readonly value: string
  readonly label: string
  /** Toasts for both ends. */
  readonly done: string
  readonly failed: string
}

/** Copies a text; the tick stays for two seconds. */
export function CopyButton({ value, label, done, failed }: CopyButtonProps) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), feedbackMs)
    return () => clearTimeout(timer)
  }, [isDone])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setDone(true)
      toast(done, { kind: 'success' })
    } catch {
      // Denied, or no secure context: the person is told and can still select the text.
      toast(failed, { kind: 'error' })
    }
  }
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={copy}>
      <Icon name={isDone ? 'tick' : 'copy'} />
    </button>
  )
}
