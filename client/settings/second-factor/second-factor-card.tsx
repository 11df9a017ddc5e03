import { useWork } from '#client/app/calls/use-work.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import './second-factor.css'
import '../account/sessions.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { apiOf } from '#client/app/queries/queries.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { TrustedDevice } from '#shared/auth/second-factor.ts'
import { longDate } from '#shared/kernel/time.ts'
import { secondFactorQuery } from '../account/account-queries.ts'

const SecondFactorDialog = lazyDialog(() => import('./second-factor-dialog.tsx'))
const SecondCodeDialog = lazyDialog(() => import('./second-code-dialog.tsx'))

const useDates = () => {
  const { i18n } = useTranslation('settings')
  const { timeZone } = useFacts()
  return (iso: string) => longDate(iso, i18n.language === 'en' ? 'en' : 'es', timeZone)
}

/** Browsers that are not asked for the second factor. */
function TrustedDevices({ devices }: { devices: readonly TrustedDevice[] }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const failureText = useFailureText()
  const dateOf = useDates()
  const [isWorking, work] = useWork()
  const end = ({ id }: TrustedDevice) =>
    work(async () => {
      try {
        await apiOf(client)(undefined).secondFactor.endTrust({ params: { id } })
        toast(t('secondFactor.trustEnded'), { kind: 'success' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
      await client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
    })
  const nameOf = ({ browser, system }: TrustedDevice) =>
    browser && system ? t('session.on', { browser, system }) : (browser ?? system ?? t('session.unknown'))
  return (
    <div className="trusted-devices stack-m">
      <h3>{t('secondFactor.devices')}</h3>
      <p>{t('secondFactor.devicesText')}</p>
      <ul className="sessions">
        {devices.map(device => (
          <li key={device.id} className="session">
            <div className="session-head line wrap">
              <h4>{nameOf(device)}</h4>
            </div>
            <dl className="session-facts wrap">
              <div>
                <dt>{t('secondFactor.until')}</dt>
                <dd>{dateOf(device.expiresAt)}</dd>
              </div>
              <div>
                <dt>{t('session.address')}</dt>
                <dd>{device.address ?? t('session.noAddress')}</dd>
              </div>
            </dl>
            <button
              type="button"
              className="button"
              aria-label={t('secondFactor.endTrustOf', { device: nameOf(device) })}
              disabled={isWorking}
              onClick={() => end(device)}
            >
              {t('secondFactor.endTrust')}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The person's second factor, with buttons to change it. */
export function SecondFactorCard() {
  const { t, i18n } = useTranslation('settings')
  const { since, backupCodes, devices, demandedBy } = useAnswer(secondFactorQuery)
  const dateOf = useDates()
  const [opened, setOpened] = useState<'setup' | 'renew' | 'disable'>()
  const close = () => setOpened(undefined)
  return (
    <>
      <p>{since ? t('secondFactor.on', { date: dateOf(since) }) : t('secondFactor.off')}</p>
      {demandedBy.length ? (
        <p>{t('secondFactor.demanded', { organizations: new Intl.ListFormat(i18n.language).format(demandedBy) })}</p>
      ) : null}
      {since ? <p>{t('secondFactor.backupLeft', { count: backupCodes })}</p> : null}
      <div className="card-buttons">
        <button type="button" className="button" onClick={() => setOpened('setup')}>
          {since ? t('secondFactor.replace') : t('secondFactor.enable')}
        </button>
        {since ? (
          <button type="button" className="button" onClick={() => setOpened('renew')}>
            {t('secondFactor.renew')}
          </button>
        ) : null}
        {since && !demandedBy.length ? (
          <button type="button" className="button" onClick={() => setOpened('disable')}>
            {t('secondFactor.disable')}
          </button>
        ) : null}
      </div>
      {devices.length ? <TrustedDevices devices={devices} /> : null}
      {opened === 'setup' ? <SecondFactorDialog replaces={since !== null} onClose={close} /> : null}
      {opened === 'renew' || opened === 'disable' ? <SecondCodeDialog wants={opened} onClose={close} /> : null}
    </>
  )
}
