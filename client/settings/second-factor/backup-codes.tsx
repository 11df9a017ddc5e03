import './second-factor.css'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'

/** The backup codes, shown once. */
export function BackupCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const { t } = useTranslation('settings')
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`
  return (
    <div className="stack">
      <p>{t('secondFactor.codesText')}</p>
      <ul className="backup-codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-buttons">
        <CopyButton
          value={text}
          label={t('secondFactor.copyCodes')}
          done={t('secondFactor.codesCopied')}
          failed={t('secondFactor.codesNotCopied')}
        />
        <a className="button" href={file} download={t('secondFactor.fileName')}>
          {t('secondFactor.download')}
        </a>
        <button type="button" className="button button-primary" onClick={onKept}>
          {t('secondFactor.kept')}
        </button>
      </div>
    </div>
  )
}
