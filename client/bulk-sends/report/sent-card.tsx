import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { MarkedText } from '#client/templates/body-snippet.tsx'
import { LanguageName } from '#client/templates/words.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { paths } from '#shared/kernel/paths.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { variableNames } from '#shared/templates/variables.ts'
import { AudienceWords } from '../audience-words.tsx'
import { CardPlace } from '../card-place.tsx'
import { hasEnded } from '../words.tsx'
import { CostFact } from './cost-fact.tsx'

/** The safety settings of a send. Nothing if there are none. */
function Care({ send: { canary, hours, limits } }: { send: Pick<BulkSendReport, 'canary' | 'hours' | 'limits'> }) {
  const { t } = useTranslation('bulk-sends')
  const { failedPercent, optedOutPercent } = limits
  const stops = [
    ...(failedPercent === null ? [] : [t('care.limitFailed', { percent: failedPercent })]),
    ...(optedOutPercent === null ? [] : [t('care.limitOptedOut', { percent: optedOutPercent })]),
  ]
  return (
    <>
      {canary ? (
        <>
          <dt>{t('care.firstTitle')}</dt>
          <dd>{t('care.first', { count: canary.people, minutes: canary.waitMinutes })}</dd>
        </>
      ) : null}
      {hours ? (
        <>
          <dt>{t('care.hoursTitle')}</dt>
          <dd>{t('care.hoursSays', hours)}</dd>
        </>
      ) : null}
      {stops.length ? (
        <>
          <dt>{t('care.limits')}</dt>
          <dd>{stops.join(' · ')}</dd>
        </>
      ) : null}
    </>
  )
}

/** A send takes minutes: its facts have the time, too. */
function At({ at }: { readonly at: string }) {
  const { language } = useFacts()
  const { timeZone } = useMoment()
  return <time dateTime={at}>{shortTime(at, language, timeZone)}</time>
}

/** True if recipients get different texts. Values of cards are always examples here. */
const doesVary = ({ text, textValues, cards }: BulkSendReport): boolean =>
  variableNames(text).some(name => !textValues[name]) || cards.some(card => variableNames(card.text).length > 0)

/** The cards of a carousel beside one another, with the kind of their file and their buttons. */
function Cards({ cards }: Pick<BulkSendReport, 'cards'>) {
  const { t } = useTranslation('templates')
  if (!cards.length) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <ol className="bulk-cards" aria-label={t('preview.cards')} tabIndex={0}>
      {cards.map(({ format, text, textExample, buttons }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
        <li key={i} className="bulk-bubble stack-s">
          <CardPlace at={i} all={cards.length} />
          {format === 'IMAGE' || format === 'VIDEO' ? (
            <span className="bulk-bubble-media small">
              <span>
                <Icon name={format === 'IMAGE' ? 'image' : 'video'} />
                {t(`header.${format}`)}
              </span>
            </span>
          ) : null}
          <p dir="auto">
            <MarkedText text={text} example={textExample} />
          </p>
          {buttons.map((button, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
            <span key={place} className="bulk-bubble-button" dir="auto">
              {button || t('button.COPY_CODE')}
            </span>
          ))}
        </li>
      ))}
    </ol>
  )
}

/** A send's message, recipients, limits, author and time. */
export function SentCard({ send }: { readonly send: BulkSendReport }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  return (
    <section className="card bulk-what" aria-labelledby="bulk-what">
      <h2 id="bulk-what">{t(hasEnded(send) && send.startedAt ? 'whatWasSent' : 'what')}</h2>
      <p className="bulk-text">
        <MarkedText text={send.text} example={send.textExample} known={send.textValues} />
      </p>
      <Cards cards={send.cards} />
      {doesVary(send) ? <p className="field-hint">{t('whatVaries')}</p> : null}
      <dl className="facts-list">
        <dt>{t('template')}</dt>
        <dd>
          <Link to={paths.template(slug, send.template.id)} dir="auto">
            {send.template.name}
          </Link>
        </dd>
        <dt>{t('language')}</dt>
        <dd>
          <LanguageName code={send.template.language} />
        </dd>
        <dt>{t('audience.title')}</dt>
        <dd>
          <AudienceWords audience={send.audience} />
        </dd>
        {send.state === 'scheduled' ? null : <CostFact send={send} />}
        <Care send={send} />
        <dt>{t('by.label')}</dt>
        <dd>
          {send.createdBy} <At at={send.createdAt} />
        </dd>
        {send.approval?.at ? (
          <>
            <dt>{t('approval.by')}</dt>
            <dd>
              {send.approval.by} · <At at={send.approval.at} />
            </dd>
          </>
        ) : null}
        {send.startedAt ? (
          <>
            <dt>{t('startedAt')}</dt>
            <dd>
              <At at={send.startedAt} />
            </dd>
          </>
        ) : null}
        {send.endedAt ? (
          <>
            <dt>{t('endedAt')}</dt>
            <dd>
              <At at={send.endedAt} />
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  )
}
