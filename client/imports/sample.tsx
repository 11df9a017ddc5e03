import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import type { ImportFound } from '#shared/imports/found.ts'
import { shortTime } from '#shared/kernel/time.ts'

/** The first messages of a chat, as they will be. `zone`: of their times, if those are not in UTC. */
export function Sample({
  messages,
  zone,
}: {
  readonly messages: NonNullable<ImportFound['sample']>
  readonly zone?: string
}) {
  const { t } = useTranslation('imports')
  const { language, timeZone } = useFacts()
  if (!messages.length) return null
  return (
    <div className="import-sample">
      <h3>{t('sample')}</h3>
      <ol>
        {messages.map((message, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <li key={i} className={message.isOurs ? 'import-ours' : undefined}>
            {message.name ? <b dir="auto">{message.name}</b> : null}
            <span dir="auto">{message.text || t('sampleFile')}</span>
            <time dateTime={message.at}>{shortTime(message.at, language, zone ?? timeZone)}</time>
          </li>
        ))}
      </ol>
    </div>
  )
}
