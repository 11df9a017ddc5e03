import { useTranslation } from 'react-i18next'
import { ShownOnce } from '#client/integrations/card/log.tsx'

interface NewSecretProps {
  readonly secret: string
  /** The token of the handshake, for format `meta` only. */
  readonly verifyToken?: string | null
  onClose(): void
}

/** Shows a new secret, for the only time. */
export function NewSecret({ secret, verifyToken = null, onClose }: NewSecretProps) {
  const { t } = useTranslation('integrations')
  return (
    <div className="stack">
      <div className="notice notice-good">
        <p role="status">{t('hooks.secretText')}</p>
      </div>
      <ShownOnce value={secret} copy={t('hooks.copySecret')} copied={t('hooks.secretCopied')} />
      <p className="field-hint">{t(verifyToken === null ? 'hooks.secretUse' : 'hooks.metaSecretUse')}</p>
      {verifyToken === null ? null : (
        <>
          <p>{t('hooks.verifyTokenIs')}</p>
          <ShownOnce value={verifyToken} copy={t('hooks.copyToken')} copied={t('hooks.tokenCopied')} />
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
