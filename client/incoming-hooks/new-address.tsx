import { useTranslation } from 'react-i18next'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'

interface NewAddressProps {
  readonly url: string
  /** What the program sends. */
  readonly sample: string
  onClose(): void
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const curlOf = (url: string, sample: string) =>
  `curl -X POST ${quoted(url)} \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(sample || '{}')}`

/** Shows a new address and a call that can be run, for the only time. */
export function NewAddress({ url, sample, onClose }: NewAddressProps) {
  const { t } = useTranslation('integrations')
  const { t: common } = useTranslation()
  return (
    <div className="stack">
      <div className="notice notice-good">
        <p role="status">{t('incoming.addressText')}</p>
      </div>
      <div className="hook-address line">
        <code>{url}</code>
        <CopyButton
          value={url}
          label={t('incoming.copyAddress')}
          done={t('incoming.addressCopied')}
          failed={common('webhook.copyFailed')}
        />
      </div>
      <p className="field-hint">{t('incoming.callHint')}</p>
      <pre className="hook-body">{curlOf(url, sample)}</pre>
      <div className="dialog-buttons">
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('incoming.addressKept')}
        </button>
      </div>
    </div>
  )
}
