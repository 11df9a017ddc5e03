import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { daysUntil } from '#shared/kernel/days-until.ts'
import { fullTime } from '#shared/kernel/time.ts'
import type { NumberStanding } from '#shared/numbers/standing.ts'
import { useRecent } from './card/recent.ts'
import './standing.css'

const Unknown = () => {
  const { t } = useTranslation('integrations')
  return <span className="standing-unknown">{t('standing.unknown')}</span>
}

/** The main figures: quality, messaging limit, token expiry, last webhook. */
export function StandingFigures({ standing }: { standing: NumberStanding }) {
  const { t } = useTranslation('integrations')
  const { language, timeZone, now } = useFacts()
  const recent = useRecent()
  const { quality, limit, token, lastWebhookAt } = standing
  const days = token.expiresAt ? daysUntil(token.expiresAt, now) : undefined
  const share = limit.people && limit.people > 0 ? Math.min(1, limit.used / limit.people) : undefined
  return (
    <dl className="standing-figures">
      <div>
        <dt>{t('standing.quality')}</dt>
        <dd>
          {quality ? (
            <span className={`standing-quality standing-${quality}`}>{t(`standing.of.${quality}`)}</span>
          ) : (
            <Unknown />
          )}
        </dd>
      </div>
      <div>
        <dt>{t('standing.people')}</dt>
        <dd>
          {limit.people === null ? (
            <Unknown />
          ) : limit.people < 0 ? (
            t('standing.endless')
          ) : (
            t('standing.ofPeople', { used: limit.used, people: limit.people })
          )}
          {share === undefined ? null : (
            <meter className="standing-meter" min={0} max={1} value={share} aria-label={t('standing.people')} />
          )}
        </dd>
        <dd className="standing-note">{t('standing.lately')}</dd>
      </div>
      <div>
        <dt>{t('standing.token')}</dt>
        <dd>
          {token.refused ? (
            <span className="standing-quality standing-low">{t('standing.refused')}</span>
          ) : token.lasts ? (
            t('standing.lasting')
          ) : days === undefined ? (
            <Unknown />
          ) : token.expiresAt && Date.parse(token.expiresAt) <= now ? (
            t('standing.expired')
          ) : (
            t('standing.ends', { count: days })
          )}
        </dd>
        {token.expiresAt ? <dd className="standing-note">{fullTime(token.expiresAt, language, timeZone)}</dd> : null}
      </div>
      <div>
        <dt>{t('lastWebhook')}</dt>
        <dd>
          {lastWebhookAt ? (
            <time dateTime={lastWebhookAt} title={fullTime(lastWebhookAt, language, timeZone)}>
              {recent(lastWebhookAt)}
            </time>
          ) : (
            t('neverWebhook')
          )}
        </dd>
      </div>
    </dl>
  )
}
