import { useTranslation } from 'react-i18next'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'

/** Shows a new secret, for the only time. */
export function NewSecret({ secret, onClose }: { readonly secret: string; onClose(): void }) {
  const { t } = useTranslation('integrations')
  const { t: common } = useTranslation()
  return (
    <div className="stack">
      <div className="notice notice-good">
        <p role="status">{t('hooks.secretText')}</p>
      </div>
      <div className="webhook-secret line">
        <code>{secret}</code>
        <CopyButton
          value={secret}
          label={t('hooks.copySecret')}
          done={t('hooks.secretCopied')}
          failed={common('webhook.copyFailed')}
        />
      </div>
      <p className="field-hint">{t('hooks.secretUse')}</p>
      <div className="dialog-buttons">
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('hooks.secretKept')}
        </button>
      </div>
    </div>
  )
}
