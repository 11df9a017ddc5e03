import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { setSsoStatus } from '#client/app/calls/auth-api.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { SsoCheck, SsoProvider } from '#shared/auth/sso.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { ColumnHeads } from '../column-heads.tsx'
import { SsoChecks } from './checks.tsx'
import { SsoVerification } from './verification.tsx'

interface SsoTableProps {
  readonly providers: readonly SsoProvider[]
  onChanged(): Promise<unknown>
  onDelete(provider: SsoProvider): void
}

/** The providers, and how to verify the domains of those that are not verified. */
export function SsoTable({ providers, onChanged, onDelete }: SsoTableProps) {
  const { t, i18n } = useTranslation('admin')
  const { timeZone } = useFacts()
  const api = useApi()
  const failureText = useFailureText()
  const language = i18n.language === 'en' ? 'en' : 'es'
  const [failure, setFailure] = useState<string>()
  const [checks, setChecks] = useState<readonly SsoCheck[]>()
  const [isWorking, work] = useTransition()
  const attempt = (run: () => Promise<unknown>) =>
    work(async () => {
      setFailure(undefined)
      setChecks(undefined)
      try {
        await run()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const change = ({ id, status }: SsoProvider) =>
    attempt(async () => {
      await setSsoStatus(id, status === 'active' ? 'inactive' : 'active')
      await onChanged()
    })
  const tryOut = ({ id }: SsoProvider) =>
    attempt(async () => setChecks((await api.sso.test({ body: { providerId: id } })).checks))
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={t('sso.configured')}>
        <table className="table sso-table">
          <ColumnHeads of={[t('name'), t('sso.domain'), t('sso.status'), t('sso.created')]} />
          <tbody>
            {providers.map(provider => (
              <tr key={provider.id}>
                <td className="sso-name">
                  <bdi>{provider.name}</bdi>
                </td>
                <td>{provider.domain}</td>
                <td>
                  <label className="check">
                    <input
                      type="checkbox"
                      aria-label={t('sso.switchOf', { name: provider.name })}
                      checked={provider.status === 'active'}
                      disabled={isWorking || provider.domainVerifiedAt === null}
                      onChange={() => change(provider)}
                    />
                    {provider.status === 'active' ? t('sso.active') : t('sso.inactive')}
                  </label>
                </td>
                <td>{shortDate(provider.createdAt, language, timeZone)}</td>
                <td className="admin-actions">
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('sso.testOf', { name: provider.name })}
                    title={t('sso.test')}
                    onClick={() => tryOut(provider)}
                  >
                    <Icon name="retry" />
                  </button>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('sso.removeOf', { name: provider.name })}
                    onClick={() => onDelete(provider)}
                  >
                    <Icon name="trash" />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {failure ? <Fault>{failure}</Fault> : null}
      {checks ? <SsoChecks checks={checks} /> : null}
      {providers
        .filter(({ domainProof }) => domainProof !== 'dns')
        .map(provider => (
          <SsoVerification key={provider.id} provider={provider} onVerified={onChanged} />
        ))}
    </>
  )
}
