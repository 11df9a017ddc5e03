import { useEffect, useState } from 'react'
import { toast } from '../feedback/toasts.tsx'
import { Icon } from '../pictures/icon.tsx'

const feedbackMs = 2000

/** The toast's texts for success and failure. */
interface Ends {
  readonly done: string
  readonly failed: string
}

/** Copies a text and shows a toast. Returns whether it worked. */
export async function copyText(value: string, { done, failed }: Ends): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    toast(done, { kind: 'success' })
    return true
  } catch {
    // The permission was denied, or the context is not secure. The person can still select the text.
    toast(failed, { kind: 'error' })
    return false
  }
}

interface CopyButtonProps extends Ends {
  readonly value: string
  readonly label: string
  onCopied?(): void
}

/** Copies a text, and shows a tick for two seconds. */
export function CopyButton({ value, label, done, failed, onCopied }: CopyButtonProps) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), feedbackMs)
    return () => clearTimeout(timer)
  }, [isDone])
  const copy = async () => {
    if (!(await copyText(value, { done, failed }))) return
    setDone(true)
    onCopied?.()
  }
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={copy}>
      <Icon name={isDone ? 'tick' : 'copy'} />
    </button>
  )
}
