import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { deliveryQuery } from './queries.ts'

/** Indented where it is whole JSON. */
const readable = (raw: string): string => {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2)
  } catch {
    return raw
  }
}

const width = 640

/** A delivery as it came. */
export default function RawDialog({ id, onClose }: { readonly id: string; onClose(): void }) {
  const { t } = useTranslation('deliveries')
  const { slug } = useOrg()
  const failureText = useFailureText()
  const { data, error } = useQuery(deliveryQuery(slug, id))
  return (
    <Modal title={t('rawTitle')} width={width} onClose={onClose}>
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {data ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
          <section className="deliveries-raw" tabIndex={0} aria-label={t('rawTitle')}>
            <pre>{readable(data.raw)}</pre>
          </section>
          {data.isCut ? <p className="field-hint">{t('isCut')}</p> : null}
        </>
      ) : error ? null : (
        <span className="skeleton skeleton-rows content-skeleton" />
      )}
      <div className="dialog-buttons">
        {data ? <CopyButton value={data.raw} label={t('copy')} done={t('copied')} failed={t('notCopied')} /> : null}
        <button type="button" className="button" onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </Modal>
  )
}
