import { useTranslation } from 'react-i18next'
import { ShownOnce } from '#client/integrations/card/log.tsx'

interface NewAddressProps {
  readonly url: string
  /** An example of the program's JSON. */
  readonly sample: string
  onClose(): void
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const curlOf = (url: string, sample: string) =>
  `curl -X POST ${quoted(url)} \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(sample || '{}')}`

/** Shows a new address and a call that can be run, for the only time. */
export function NewAddress({ url, sample, onClose }: NewAddressProps) {
  const { t } = useTranslation('integrations')
  return (
    <div className="stack">
      <div className="notice notice-good">
        <p role="status">{t('incoming.addressText')}</p>
      </div>
      <ShownOnce value={url} copy={t('incoming.copyAddress')} copied={t('incoming.addressCopied')} />
      <p className="field-hint">{t('incoming.callHint')}</p>
      <pre className="log-body">{curlOf(url, sample)}</pre>
      <div className="dialog-buttons">
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('incoming.addressKept')}
        </button>
      </div>
    </div>
  )
}
