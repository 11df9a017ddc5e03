import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { signOutElsewhere, signOutEverywhere } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useFacts } from '#client/app/facts.ts'
import { apiOf, queryFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { SignOut } from '#client/shell/account/sign-out.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { SignedInSession } from '#shared/auth/sessions.ts'
import { shortTime } from '#shared/kernel/time.ts'

export const sessionsQuery = queryFor(undefined, 'sessions.listSessions', {})

export const SessionsSkeleton = () => <div className="skeleton skeleton-rows sessions-skeleton" aria-hidden="true" />

interface SessionRowProps {
  readonly session: SignedInSession
  readonly isWorking: boolean
  onEnd(session: SignedInSession): void
}

const SessionRow = ({ session, isWorking, onEnd }: SessionRowProps) => {
  const { t, i18n } = useTranslation('settings')
  const { timeZone } = useFacts()
  const language = i18n.language === 'en' ? 'en' : 'es'
  const { browser, system, address, signedInAt, lastUsedAt, isCurrent, isBorrowed, isHalfDone } = session
  const device = browser && system ? t('session.on', { browser, system }) : (browser ?? system ?? t('session.unknown'))
  return (
    <li className="session">
      <div className="session-head line wrap">
        <h3>{device}</h3>
        {isCurrent ? <span className="chip chip-green">{t('session.current')}</span> : null}
        {isHalfDone ? <span className="chip chip-amber">{t('session.halfDone')}</span> : null}
        {isBorrowed ? <span className="chip chip-amber">{t('session.borrowed')}</span> : null}
      </div>
      <dl className="session-facts wrap">
        <div>
          <dt>{t('session.lastUsed')}</dt>
          <dd>{shortTime(lastUsedAt, language, timeZone)}</dd>
        </div>
        <div>
          <dt>{t('session.signedIn')}</dt>
          <dd>{shortTime(signedInAt, language, timeZone)}</dd>
        </div>
        <div>
          <dt>{t('session.address')}</dt>
          <dd>{address ?? t('session.noAddress')}</dd>
        </div>
      </dl>
      {isCurrent ? null : (
        <button
          type="button"
          className="button"
          aria-label={t('session.endOf', { device })}
          disabled={isWorking}
          onClick={() => onEnd(session)}
        >
          {t('session.end')}
        </button>
      )}
    </li>
  )
}

/** The person's sessions: ends one, all others, or all. */
export function Sessions() {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const failureText = useFailureText()
  const data = useAnswer(sessionsQuery)
  const [isWorking, work] = useWork()
  const ending = (end: () => Promise<unknown>, done: string) =>
    work(async () => {
      try {
        await end()
        toast(done, { kind: 'success' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    })
  const endOne = ({ id }: SignedInSession) =>
    ending(() => apiOf(client)(undefined).sessions.endSession({ params: { id } }), t('session.ended'))
  return (
    <>
      <ul className="sessions">
        {data.items.map(session => (
          <SessionRow key={session.id} session={session} isWorking={isWorking} onEnd={endOne} />
        ))}
      </ul>
      <div className="card-buttons">
        {data.items.length > 1 ? (
          <button
            type="button"
            className="button"
            disabled={isWorking}
            onClick={() => ending(signOutElsewhere, t('othersEnded'))}
          >
            {t('endOthers')}
          </button>
        ) : null}
        <SignOut className="button" />
        {data.items.length > 1 ? (
          <SignOut className="button" end={signOutEverywhere}>
            {t('endAll')}
          </SignOut>
        ) : null}
      </div>
    </>
  )
}
