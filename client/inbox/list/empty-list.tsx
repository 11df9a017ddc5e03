import { useQueryClient } from '@tanstack/react-query'
import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { apiOf } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { listPartsQuery } from '../queries.ts'
import type { InboxT } from '../words.ts'
import { isNarrowed, type ListFilter } from './list-filter.ts'

/** The sender of a newcomer's first simulated message, with an unassigned number. */
const sampleCustomer = { from: '5491155550100', name: 'Lucía Méndez' }

interface EmptyListProps {
  org: string
  filter: ListFilter
  t: InboxT
}

/** Sends a simulated message, to try the inbox. */
const TrySimulator = ({ org, t }: Pick<EmptyListProps, 'org' | 't'>) => {
  const api = apiOf(useQueryClient())(org)
  const failureText = useFailureText()
  const [isSending, send] = useTransition()
  const simulate = () =>
    send(async () => {
      try {
        await api.sandbox.inbound({ body: { ...sampleCustomer, type: 'text', text: t('list.sampleMessage') } })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <>
      <button type="button" className="button" onClick={simulate} disabled={isSending}>
        {t('list.trySandbox')}
      </button>
      <Link className="button button-quiet" to={paths.simulator(org)}>
        {t('list.openSandbox')}
      </Link>
    </>
  )
}

/** Returns icon, text for an empty list and name of each filter that is on. The text is for this filter alone. */
const activeFilters = (filter: ListFilter) => {
  const { assignee } = filter
  return [
    filter.archived && (['archive', 'emptyArchived', 'archived'] as const),
    filter.snoozed && (['snooze', 'emptySnoozed', 'snoozed'] as const),
    filter.waiting && (['clock', 'emptyWaiting', 'waiting'] as const),
    filter.unread && (['unread', 'emptyUnread', 'unread'] as const),
    assignee === 'me' && (['person', 'emptyMine', 'me'] as const),
    assignee === 'none' && (['person', 'emptyUnassigned', 'none'] as const),
    assignee && !['me', 'none'].includes(assignee) && (['person', 'emptyOthers', 'others'] as const),
    filter.needsHuman && (['hand', 'emptyNeedsHuman', 'needsHuman'] as const),
    filter.metaAgent && (['bot', 'emptyMetaAgent', 'metaAgent'] as const),
    filter.overdue && (['tick', 'emptyOverdue', 'overdue'] as const),
    filter.closing && (['clock', 'emptyClosing', 'closing'] as const),
    filter.failed && (['tick', 'emptyFailed', 'failed'] as const),
    filter.number && (['phone', 'emptyNumber', 'number'] as const),
    ...(filter.tags ?? []).map(() => ['tag', 'emptyTag', 'tags'] as const),
  ].filter(one => one !== undefined && one !== false && one !== '')
}

const EmptyFilter = ({ org, filter, t }: EmptyListProps) => {
  const { i18n } = useTranslation()
  const [only, ...others] = activeFilters(filter)
  const names = new Set<string>([only, ...others].flatMap(one => (one ? [t(`filter.${one[2]}`)] : [])))
  return (
    <Empty
      icon={only && !others.length ? only[0] : 'filter'}
      says={
        only && !others.length
          ? t(`list.${only[1]}`)
          : t('list.emptyFilters', { filters: new Intl.ListFormat(i18n.language).format(names) })
      }
      action={
        <Link className="button button-quiet" to={paths.chats(org)}>
          {t('list.clearFilters')}
        </Link>
      }
    />
  )
}

/** The empty list of open chats: nobody has written yet, or all chats are archived. */
const NothingOpen = ({ org, t, mayTry }: Pick<EmptyListProps, 'org' | 't'> & { mayTry: boolean }) => {
  const { archived } = useAnswer(listPartsQuery(org))
  if (archived.count)
    return (
      <Empty
        icon="archive"
        says={t('list.allArchived')}
        action={
          <Link className="button button-quiet" to={`${paths.chats(org)}?archived=1`}>
            {t('list.seeArchived')}
          </Link>
        }
      />
    )
  return <Empty icon="chat" says={t('list.empty')} action={mayTry ? <TrySimulator org={org} t={t} /> : null} />
}

/** Explains an empty list and what to do next. */
export const EmptyList = ({ org, filter, t }: EmptyListProps) => {
  const waba = useAnswer(wabaQuery(org))
  const role = effectiveRole(useOrg().role)
  if (filter.search) return <Empty icon="search" says={t('list.emptySearch', { search: filter.search })} />
  if (isNarrowed(filter)) return <EmptyFilter org={org} filter={filter} t={t} />
  if (!waba.phone)
    return (
      <Empty
        icon="plug"
        says={t('list.emptyNoNumber')}
        action={
          roleCan(role, 'connection:manage') ? (
            <Link className="button button-primary" to={`${paths.companyCreation()}?org=${encodeURIComponent(org)}`}>
              {t('list.connect')}
            </Link>
          ) : null
        }
      />
    )
  const mayTry = waba.kind === 'sandbox' && roleCan(role, 'sandbox:use')
  return <NothingOpen org={org} t={t} mayTry={mayTry} />
}
