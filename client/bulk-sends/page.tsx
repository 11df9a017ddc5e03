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
import { mayRepeat } from './report/repeat-link.tsx'
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
  const { t, i18n } = useTranslation('bulk-sends')
  const startOf = useStartOf()
  const { slug } = useOrg()
  const { counts } = send
  const figure = new Intl.NumberFormat(i18n.language)
  const began = send.startedAt !== null
  const start = send.state === 'scheduled' ? startOf(send) : undefined
  return (
    <tr>
      <th scope="row" className="bulk-name">
        <Link to={paths.bulkSend(slug, send.id)} dir="auto">
          {send.name}
        </Link>
        {send.name.startsWith(send.template.name) ? null : (
          <small className="cut" dir="auto">
            {send.template.name}
          </small>
        )}
      </th>
      <td>
        <StateChip send={send} />
        {began ? (
          <>
            <OutcomeBar send={send} />
            <small>{t('progress', { settled: settledOf(send), count: peopleOf(send) })}</small>
          </>
        ) : start ? (
          <small>{t('startsOn', { when: start })}</small>
        ) : null}
      </td>
      <td>
        <AudienceWords audience={send.audience} />
        <small>
          {t('result.people', { count: peopleOf(send) })}
          {counts.omitted ? ` · ${t('result.omitted', { count: counts.omitted })}` : null}
        </small>
      </td>
      <td className={began ? 'bulk-figure' : 'bulk-figure bulk-no-figure'} data-name={t('column.replied')}>
        {began ? figure.format(counts.replied) : '–'}
      </td>
      <td
        className={began ? 'bulk-figure' : 'bulk-figure bulk-no-figure'}
        data-name={t('column.failed')}
        data-bad={counts.failed > 0 || undefined}
      >
        {began ? figure.format(counts.failed) : '–'}
      </td>
      <td>
        <When at={send.startedAt ?? send.createdAt} />
        <small className="cut">{send.createdBy}</small>
      </td>
      <td className="bulk-again">
        {mayRepeat(send) ? (
          <Link
            className="icon-button"
            to={paths.bulkRepeat(slug, send.id)}
            aria-label={t('repeat.of', { name: send.name })}
            data-tip={t('repeat.link')}
          >
            <Icon name="retry" />
          </Link>
        ) : null}
      </td>
    </tr>
  )
}

const columns = ['send', 'state', 'audience', 'replied', 'failed', 'when'] as const

/** Sends with their figures. On narrow screens each row is a card. */
function SendTable({ sends }: { sends: readonly BulkSend[] }) {
  const { t } = useTranslation('bulk-sends')
  return (
    <div className="table-scroll">
      <table className="table bulk-sends" aria-label={t('title')}>
        <thead>
          <tr>
            {columns.map(name => (
              <th key={name} scope="col">
                {t(`column.${name}`)}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">{t('repeat.link')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sends.map(send => (
            <SendRow key={send.id} send={send} />
          ))}
        </tbody>
      </table>
    </div>
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
      {sends.length ? <SendTable sends={sends} /> : null}
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
