import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { isLanguage } from '#shared/kernel/language.ts'
import { shortTime } from '#shared/kernel/time.ts'
import type { UpstreamCall, UpstreamStream } from '#shared/upstream/api.ts'
import { upstreamQuery } from './queries.ts'
import './upstream-card.css'

const useTime = () => {
  const { i18n } = useTranslation()
  const { timeZone } = useFacts()
  return (at: string) => shortTime(at, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)
}

function CallRow({ call: { call, failures, tookMs, resting, lastFailure } }: { call: UpstreamCall }) {
  const { t } = useTranslation('integrations')
  const time = useTime()
  return (
    <tr>
      <th scope="row">
        <code>{call}</code>
        {resting ? <span className="chip chip-amber">{t('upstream.resting')}</span> : null}
      </th>
      <td>{tookMs === null ? '–' : t('upstream.ms', { ms: tookMs })}</td>
      <td>
        {failures}
        {lastFailure ? (
          <small>
            {t(`upstream.reason.${lastFailure.reason}`, { detail: lastFailure.detail })} · {time(lastFailure.at)}
          </small>
        ) : null}
      </td>
    </tr>
  )
}

const streamReasons = ['timeout', 'ended', 'unreachable', 'content-type'] as const

function StreamLine({ stream: { state, since, detail, refused, refusedField } }: { stream: UpstreamStream }) {
  const { t } = useTranslation('integrations')
  const time = useTime()
  const known = streamReasons.find(one => one === detail) ?? 'other'
  const reason = state === 'waiting' ? t(`upstream.streamReason.${known}`, { detail }) : ''
  return (
    <>
      <p>{t(`upstream.stream.${state}`, { at: time(since), reason })}</p>
      {refused ? <p>{t('upstream.refused', { count: refused, field: refusedField })}</p> : null}
    </>
  )
}

/** The product API that answers instead of our database, and how it does. Nothing when there is none. */
export function UpstreamCard() {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const time = useTime()
  const { address, lastEventAt, stream, calls } = useAnswer(upstreamQuery(slug))
  if (address === null) return null
  return (
    <section className="card integration-wide" aria-labelledby="upstream">
      <div className="card-head">
        <Icon name="plug" />
        <h2 id="upstream">{t('upstream.title')}</h2>
      </div>
      <p>
        <code>{address}</code>
      </p>
      {stream ? <StreamLine stream={stream} /> : null}
      {lastEventAt !== null ? (
        <p>{t('upstream.lastEvent', { at: time(lastEventAt) })}</p>
      ) : stream ? null : (
        <p>{t('upstream.noEvent')}</p>
      )}
      {calls.length ? (
        <table className="upstream-calls">
          <thead>
            <tr>
              <th scope="col">{t('upstream.call')}</th>
              <th scope="col">{t('upstream.took')}</th>
              <th scope="col">{t('upstream.failures')}</th>
            </tr>
          </thead>
          <tbody>
            {calls.map(call => (
              <CallRow key={call.call} call={call} />
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  )
}
