import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'

const feedbackMs = 2000

/** Shows a new key, for the only time. */
export function NewKeyAlert({ value, onCopied }: { value: string; onCopied(): void }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), feedbackMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      onCopied()
    } catch {
      // Denied, or no secure context: the key can still be selected.
      toast(t('keys.copyFailed'), { kind: 'error' })
    }
  }
  return (
    <div className="notice notice-good key-made">
      <p role="status">{t('keys.made')}</p>
      <div className="key-row line wrap">
        {/* Selecting and copying it by hand counts too. */}
        <code onCopy={onCopied}>{value}</code>
        <button type="button" className="button" onClick={copy}>
          <Icon name={isCopied ? 'tick' : 'copy'} />
          <span aria-live="polite">{isCopied ? t('keys.copied') : common('copy')}</span>
        </button>
      </div>
      <p>{t('keys.keep')}</p>
    </div>
  )
}
