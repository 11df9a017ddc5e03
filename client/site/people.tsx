import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { siteAdmin } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { becomeAnother } from '#client/shell/session-life.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { shortTime } from '#shared/kernel/time.ts'
import type { SitePerson } from '#shared/site/api.ts'
import { type PeopleFilter, peopleQuery } from './queries.ts'
import type { Question } from './question-dialog.tsx'

const SessionsDialog = lazyDialog(() => import('./sessions-dialog.tsx'))
const BanDialog = lazyDialog(() => import('./ban-dialog.tsx'))
const QuestionDialog = lazyDialog(() => import('./question-dialog.tsx'))

interface Asked {
  readonly question: Question | 'ban' | 'sessions'
  readonly person: SitePerson
}

interface RowProps {
  readonly person: SitePerson
  ask(asked: Asked): void
  letIn(person: SitePerson): void
}

function Row({ person, ask, letIn }: RowProps) {
  const { t } = useTranslation('site')
  const { language, timeZone } = useFacts()
  const { user } = useViewer()
  const { name, email, ban, isAdmin, sessions, lastUsedAt, organizations } = person
  const isSelf = person.id === user.id
  const item = (question: Question | 'ban', danger?: boolean) => (
    <MenuItem danger={danger} onClick={() => ask({ question, person })}>
      {t(`ask.${question}.open`)}
    </MenuItem>
  )
  return (
    <li className="site-person stack-l">
      <Avatar name={name} of={person.id} />
      <div className="site-who">
        <h3>
          <bdi>{name}</bdi>
          {isSelf ? <span className="chip">{t('you')}</span> : null}
          {isAdmin ? <span className="chip chip-blue">{t('admin')}</span> : null}
          {ban ? (
            <span className="chip chip-red">
              {ban.endsAt ? t('bannedUntil', { when: shortTime(ban.endsAt, language, timeZone) }) : t('banned')}
            </span>
          ) : null}
        </h3>
        <p>{email}</p>
        {ban?.reason ? <p>{t('reasonIs', { reason: ban.reason })}</p> : null}
        <p>
          {sessions && lastUsedAt
            ? t('sessions', { count: sessions, when: shortTime(lastUsedAt, language, timeZone) })
            : t('noSessions')}
        </p>
        <ul className="site-orgs" aria-label={t('organizationsOf', { name })}>
          {organizations.map(org => (
            <li key={org.id}>
              <b dir="auto">{org.name}</b> <span>{t(`role.${org.role as 'owner'}`)}</span>
            </li>
          ))}
          {organizations.length ? null : <li>{t('noOrganizations')}</li>}
        </ul>
      </div>
      {isSelf ? null : (
        <RowMenu
          label={t('actionsOf', { name })}
          items={() => (
            <>
              {isAdmin || ban ? null : item('actAs')}
              {sessions ? (
                <MenuItem onClick={() => ask({ question: 'sessions', person })}>{t('session.open')}</MenuItem>
              ) : null}
              {sessions ? item('endSessions') : null}
              {isAdmin ? item('endAdmin') : ban ? null : item('makeAdmin')}
              {ban ? <MenuItem onClick={() => letIn(person)}>{t('unban.open')}</MenuItem> : item('ban', true)}
            </>
          )}
        />
      )}
    </li>
  )
}

/** The list of people with an account, with actions. */
export function People({ filter }: { filter: PeopleFilter }) {
  const { t } = useTranslation('site')
  const client = useQueryClient()
  const failureText = useFailureText()
  const list = useSuspensePages(peopleQuery(filter))
  const people = list.data.pages.flatMap(page => page.items)
  const [asked, ask] = useState<Asked>()
  const close = () => ask(undefined)
  const askAgain = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: keyFor(undefined, 'site.listPeople') }),
      client.invalidateQueries({ queryKey: keyFor(undefined, 'site.listEntries') }),
    ])
  }
  const done = async (text: string) => {
    toast(text, { kind: 'success' })
    await askAgain()
  }
  const letIn = async ({ id, name }: SitePerson) => {
    try {
      await siteAdmin.unban(id)
      await done(t('unban.done', { name }))
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
  }
  const run = async (question: Question, { id, name }: SitePerson) => {
    if (question === 'actAs') return becomeAnother(() => siteAdmin.actAs(id), paths.organizations())
    if (question === 'endSessions') await siteAdmin.endSessions(id)
    else await siteAdmin.setRole(id, question === 'makeAdmin' ? 'admin' : 'user')
    await done(t(`ask.${question}.done`, { name }))
  }
  if (!people.length) return <Empty icon="person" says={t('nobody')} />
  return (
    <>
      <ul className="site-people">
        {people.map(person => (
          <Row key={person.id} person={person} ask={ask} letIn={letIn} />
        ))}
      </ul>
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
      {asked?.question === 'ban' ? <BanDialog person={asked.person} onDone={done} onClose={close} /> : null}
      {asked?.question === 'sessions' ? <SessionsDialog person={asked.person} onDone={done} onClose={close} /> : null}
      {asked && asked.question !== 'ban' && asked.question !== 'sessions' ? (
        <QuestionDialog
          question={asked.question}
          person={asked.person}
          run={() => run(asked.question as Question, asked.person)}
          onClose={close}
        />
      ) : null}
    </>
  )
}
