import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { useAnswer } from '#client/app/use-answer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { paths } from '#shared/kernel/paths.ts'
import { start } from '../app/queries.ts'
import { useSuspensePages } from '../app/use-paged-list.ts'
import { OrgClock, orgClockQuery } from '../shell/org-clock.tsx'
import { useOrg } from '../shell/viewer.ts'
import { When } from '../templates/words.tsx'
import { AudienceWords } from './audience-words.tsx'
import { DraftRow } from './draft-rows.tsx'
import { NoTags } from './no-tags.tsx'
import { OutcomeBar } from './outcomes.tsx'
import { PaceLine } from './pace.tsx'
import {
  areDraftsOnly,
  draftsQuery,
  grantedTagsQuery,
  groupOf,
  rangeOf,
  type SendRange,
  sendsQuery,
} from './queries.ts'
import { SendGroups } from './send-groups.tsx'
import { useStartOf } from './start-time.tsx'
import { useSendEvents } from './use-send-events.ts'
import { peopleOf, StateChip, settledOf } from './words.tsx'
import './bulk-sends.css'

export const loader = (args: LoaderFunctionArgs) =>
  start(
    args,
    sendsQuery(
      args.params.org ?? '',
      groupOf(new URL(args.request.url).searchParams),
      rangeOf(new URL(args.request.url).searchParams),
    ),
    draftsQuery(args.params.org ?? ''),
    grantedTagsQuery(args.params.org ?? ''),
    orgClockQuery(args.params.org ?? ''),
  )

function CreateLink() {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  return (
    <Link className="button button-primary" to={paths.bulkCreate(slug)}>
      <Icon name="plus" />
      {t('create')}
    </Link>
  )
}

function SendRow({ send }: { send: BulkSend }) {
  const { t } = useTranslation('bulk-sends')
  const startOf = useStartOf()
  const { slug } = useOrg()
  const { counts } = send
  const began = send.startedAt !== null
  return (
    <li>
      <Link className="bulk-row box" to={paths.bulkSend(slug, send.id)}>
        <b className="cut" dir="auto">
          {send.template.name}
        </b>
        <StateChip state={send.state} />
        {began ? <OutcomeBar send={send} /> : null}
        <span className="bulk-result small">
          {began
            ? [
                t('progress', { settled: settledOf(send), count: peopleOf(send) }),
                t('result.replied', { count: counts.replied }),
                ...(counts.failed ? [t('result.failed', { count: counts.failed })] : []),
              ].join(' · ')
            : t('result.people', { count: peopleOf(send) })}
        </span>
        <small>
          <AudienceWords audience={send.audience} />
          {send.counts.omitted ? ` · ${t('result.omitted', { count: counts.omitted })}` : null}
        </small>
        <small>
          {send.createdBy} · <When at={send.createdAt} />
          {send.state === 'scheduled' && startOf(send) ? ` · ${t('startsOn', { when: startOf(send) })}` : null}
        </small>
      </Link>
    </li>
  )
}

function Drafts({ areAlone }: { areAlone: boolean }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const { items } = useAnswer(draftsQuery(slug))
  if (!items.length) return areAlone ? <p role="status">{t('draft.none')}</p> : null
  return (
    <ul className="stack-m" aria-label={t('group.drafts')}>
      {items.map(draft => (
        <DraftRow key={draft.id} draft={draft} />
      ))}
    </ul>
  )
}

/** Says that only sends that began in a range are listed, and leads to all. */
function Range({ since, until, isEmpty = false }: SendRange & { readonly isEmpty?: boolean }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  return (
    <p role="status">
      {t(isEmpty ? 'range.none' : 'range.only')} {since ? <When at={since} /> : null} –{' '}
      {until ? <When at={until} /> : null} · <Link to={paths.bulk(slug)}>{t('range.all')}</Link>
    </p>
  )
}

function Sends() {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const group = groupOf(query)
  useSendEvents(slug)
  const range = rangeOf(query)
  const isRange = Object.keys(range).length > 0
  const list = useSuspensePages(sendsQuery(slug, group, range))
  const hasDrafts = useAnswer(draftsQuery(slug)).items.length > 0
  const sends = list.data.pages.flatMap(page => page.items)
  if (areDraftsOnly(query)) return <Drafts areAlone />
  if (!sends.length && isRange) return <Range {...range} isEmpty />
  if (!sends.length && group) return <p role="status">{t('group.none')}</p>
  if (!sends.length && !hasDrafts)
    return (
      <Empty icon="send" says={t('none')}>
        <p>{t('why')}</p>
      </Empty>
    )
  return (
    <>
      {isRange ? <Range {...range} /> : null}
      {group || isRange ? null : <Drafts areAlone={false} />}
      {sends.length ? (
        <ul className="stack-m" aria-label={t('title')}>
          {sends.map(send => (
            <SendRow key={send.id} send={send} />
          ))}
        </ul>
      ) : null}
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </>
  )
}

/** `/org/{slug}/c/masive`: the bulk sends with their progress. */
export default function BulkSendsPage() {
  const { t } = useTranslation('bulk-sends')
  return (
    <main className="sheet">
      <div className="bulk-head line wrap">
        <SheetHead title={t('title')}>{t('text')}</SheetHead>
        <CreateLink />
      </div>
      <div className="bulk-tools">
        <SendGroups />
        <PaceLine />
      </div>
      <Suspense fallback={<div className="skeleton bulk-skeleton" aria-hidden="true" />}>
        <OrgClock>
          <NoTags />
          <Sends />
        </OrgClock>
      </Suspense>
    </main>
  )
}
