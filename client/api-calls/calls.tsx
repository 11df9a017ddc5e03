import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import type { ApiCall } from '#shared/api-calls/api.ts'
import { shortTime } from '#shared/kernel/time.ts'

function Call({ call }: { readonly call: ApiCall }) {
  const { t, i18n } = useTranslation('api-calls')
  const { timeZone } = useFacts()
  const failed = call.status >= 400
  return (
    <li className="calls-call">
      <p className="calls-what wrap">
        <span className={failed ? 'chip chip-red' : 'chip chip-green'}>{call.status}</span>
        <code>
          <b>{call.method}</b> {call.route || t('noRoute')}
        </code>
      </p>
      {call.code ? (
        <p className="calls-why">
          {call.message} <code>{call.code}</code>
        </p>
      ) : null}
      <small>
        <time dateTime={call.at}>{shortTime(call.at, i18n.language === 'en' ? 'en' : 'es', timeZone)}</time>
        {' · '}
        <bdi>{call.key.name}</bdi>
        {' · '}
        {t('took', { ms: call.tookMs })}
        {' · '}
        {call.address}
        {failed ? (
          <>
            {' · '}
            {t('request')} <code>{call.requestId}</code>
          </>
        ) : null}
      </small>
    </li>
  )
}

/** Newest first. */
export const Calls = ({ calls }: { readonly calls: readonly ApiCall[] }) => (
  <ol className="calls">
    {calls.map(call => (
      <Call key={call.id} call={call} />
    ))}
  </ol>
)
