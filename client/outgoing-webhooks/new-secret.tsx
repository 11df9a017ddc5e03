import { useTranslation } from 'react-i18next'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'

interface NewSecretProps {
  readonly secret: string
  /** The token of the handshake, for format `meta` only. */
  readonly verifyToken?: string | null
  onClose(): void
}

/** Shows a new secret, for the only time. */
export function NewSecret({ secret, verifyToken = null, onClose }: NewSecretProps) {
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
      <p className="field-hint">{t(verifyToken === null ? 'hooks.secretUse' : 'hooks.metaSecretUse')}</p>
      {verifyToken === null ? null : (
        <>
          <p>{t('hooks.verifyTokenIs')}</p>
          <div className="webhook-secret line">
            <code>{verifyToken}</code>
            <CopyButton
              value={verifyToken}
              label={t('hooks.copyToken')}
              done={t('hooks.tokenCopied')}
              failed={common('webhook.copyFailed')}
            />
          </div>
        </>
      )}
      <div className="dialog-buttons">
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('hooks.secretKept')}
        </button>
      </div>
    </div>
  )
}
