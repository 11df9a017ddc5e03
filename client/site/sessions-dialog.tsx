import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { DialogClose } from '#client/ui/overlays/dialog-close.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { SignedInSession } from '#shared/auth/sessions.ts'
import { shortTime } from '#shared/kernel/time.ts'
import type { SitePerson } from '#shared/site/api.ts'
import { sessionsQuery } from './queries.ts'

interface SessionProps {
  readonly session: SignedInSession
  readonly isWorking: boolean
  end(): void
}

function Session({ session, isWorking, end }: SessionProps) {
  const { t } = useTranslation('site')
  const { language, timeZone } = useFacts()
  const { browser, system, address, isBorrowed, isHalfDone } = session
  const device = browser && system ? t('session.on', { browser, system }) : (browser ?? system ?? t('session.unknown'))
  const when = shortTime(session.lastUsedAt, language, timeZone)
  const facts = [
    t('session.lastUsed', { when }),
    t('session.signedIn', { when: shortTime(session.signedInAt, language, timeZone) }),
    ...(address ? [t('session.address', { address })] : []),
  ]
  return (
    <li className="site-session line wrap">
      <div>
        <h3>
          {device}
          {isHalfDone ? <span className="chip chip-amber">{t('session.halfDone')}</span> : null}
          {isBorrowed ? <span className="chip chip-amber">{t('session.borrowed')}</span> : null}
        </h3>
        {facts.map(fact => (
          <p key={fact}>{fact}</p>
        ))}
      </div>
      <button
        type="button"
        className="button"
        aria-label={t('session.endOf', { device, when })}
        aria-disabled={isWorking}
        onClick={() => isWorking || end()}
      >
        {t('session.end')}
      </button>
    </li>
  )
}

interface SessionsDialogProps {
  readonly person: SitePerson
  onDone(text: string): Promise<void>
  onClose(): void
}

/** A person's sessions, to end one by one. */
export default function SessionsDialog({ person, onDone, onClose }: SessionsDialogProps) {
  const { t } = useTranslation('site')
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const query = sessionsQuery(person.id)
  const list = useQuery({ ...query, refetchOnMount: 'always' })
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const end = ({ id }: SignedInSession) =>
    work(async () => {
      setFailure(undefined)
      try {
        await api.site.endSession({ params: { id: person.id, sessionId: id } })
        await onDone(t('session.ended', { name: person.name }))
      } catch (error) {
        setFailure(failureText(error))
      }
      await client.invalidateQueries({ queryKey: query.queryKey })
    })
  return (
    <Modal title={t('session.title', { name: person.name })} onClose={onClose}>
      <p className="lead">{t('session.says')}</p>
      {list.isPending ? <div className="skeleton skeleton-rows site-skeleton" aria-hidden="true" /> : null}
      {list.isError ? <Fault>{t('session.failed')}</Fault> : null}
      {list.data?.items.length === 0 ? <p>{t('noSessions')}</p> : null}
      <ul className="site-sessions">
        {list.data?.items.map(session => (
          <Session key={session.id} session={session} isWorking={isWorking} end={() => end(session)} />
        ))}
      </ul>
      {failure ? <Fault>{failure}</Fault> : null}
      <DialogClose onClose={onClose} />
    </Modal>
  )
}
