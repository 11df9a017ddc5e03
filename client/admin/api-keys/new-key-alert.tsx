import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'

const feedbackMs = 2000

interface NewKeyProps {
  readonly value: string
  /** True if the key may read conversations, which the first call does. */
  readonly canRead: boolean
  onCopied(): void
}

/** The first call with a new key, ready to be pasted, and where to read on. */
function NextStep({ value, canRead, onCopied }: NewKeyProps) {
  const { t } = useTranslation('admin')
  const { publicUrl } = useFacts()
  const command = `curl -H "x-api-key: ${value}" "${publicUrl}/api/whatsapp/conversations?pageSize=1"`
  return (
    <div className="key-next">
      <h3>{t('keys.next')}</h3>
      {canRead ? (
        <>
          <p>{t('keys.tryIt')}</p>
          <div className="key-row line">
            <code onCopy={onCopied}>{command}</code>
            <CopyButton
              value={command}
              label={t('keys.copyCommand')}
              done={t('keys.commandCopied')}
              failed={t('keys.copyFailed')}
              onCopied={onCopied}
            />
          </div>
        </>
      ) : null}
      <p>
        <a href={paths.manual('api', 'keys')}>{t('keys.guide')}</a> ·{' '}
        <a href={paths.apiDocs()}>{t('keys.reference')}</a>
      </p>
    </div>
  )
}

/** Shows a new key, for the only time. */
export function NewKeyAlert({ value, canRead, onCopied }: NewKeyProps) {
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
      <NextStep value={value} canRead={canRead} onCopied={onCopied} />
    </div>
  )
}
