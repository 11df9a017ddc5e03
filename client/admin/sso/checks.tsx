import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { SsoCheck } from '#shared/auth/sso.ts'

/** The results of a provider's test, with advice for failures. */
export function SsoChecks({ checks }: { readonly checks: readonly SsoCheck[] }) {
  const { t } = useTranslation('admin')
  const hasPassed = checks.every(({ state }) => state === 'passed')
  const partValue = ({ fault, detail }: SsoCheck): string | undefined => {
    if (fault === null) return undefined
    if (fault === 'issuerDiffers' && detail !== null) return t('sso.fault.issuerDiffersAs', { detail })
    return t(`sso.fault.${fault}`, { detail: detail ?? '' })
  }
  return (
    <section className={hasPassed ? 'notice notice-good sso-result' : 'notice notice-warn sso-result'} role="status">
      <strong>{hasPassed ? t('sso.passed') : t('sso.notPassed')}</strong>
      <ul className="sso-checks">
        {checks.map(check => (
          <li key={check.name}>
            <Icon name={check.state === 'passed' ? 'tick' : check.state === 'failed' ? 'warn' : 'more'} />
            <div>
              {t(`sso.check.${check.name}`)}
              {check.state === 'skipped' ? `: ${t('sso.skipped')}` : ''}
              {check.state === 'passed' && check.name === 'answers' ? `, ${t('sso.took', { ms: check.ms ?? 0 })}` : ''}
              {check.state === 'failed' ? <p>{partValue(check)}</p> : null}
            </div>
          </li>
        ))}
        <li>
          <Icon name="more" />
          <div>{t('sso.check.person')}</div>
        </li>
      </ul>
    </section>
  )
}
