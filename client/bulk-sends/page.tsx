import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { OrgClock, orgClockQuery } from '#client/shell/org-clock.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { When } from '#client/templates/words.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { NoTags } from './no-tags.tsx'
import { PaceLine, RoomLine } from './pace.tsx'
import {
  areDraftsOnly,
  draftsQuery,
  grantedTagsQuery,
  groupOf,
  readSendRange,
  type SendRange,
  sendsQuery,
} from './queries.ts'
import { SendGroups } from './send-groups.tsx'
import { SendTable } from './send-table.tsx'
import { useSendEvents } from './use-send-events.ts'
import './bulk-sends.css'

export const loader = (args: LoaderFunctionArgs) =>
  start(
    args,
    sendsQuery(
      args.params.org ?? '',
      groupOf(new URL(args.request.url).searchParams),
      readSendRange(new URL(args.request.url).searchParams),
    ),
    draftsQuery(args.params.org ?? ''),
    grantedTagsQuery(args.params.org ?? ''),
    tagsQuery(args.params.org ?? ''),
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
  const range = readSendRange(query)
  const isRange = Object.keys(range).length > 0
  const list = useSuspensePages(sendsQuery(slug, group, range))
  const drafts = useAnswer(draftsQuery(slug)).items
  const sends = list.data.pages.flatMap(page => page.items)
  if (areDraftsOnly(query))
    return drafts.length ? <SendTable sends={[]} drafts={drafts} /> : <p role="status">{t('draft.none')}</p>
  if (!sends.length && isRange) return <Range {...range} isEmpty />
  if (!sends.length && group) return <p role="status">{t('group.none')}</p>
  if (!sends.length && !drafts.length)
    return (
      <Empty icon="send" says={t('none')}>
        <p>{t('why')}</p>
      </Empty>
    )
  return (
    <>
      {isRange ? <Range {...range} /> : null}
      <SendTable sends={sends} drafts={group || isRange ? [] : drafts} />
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </>
  )
}

/** `/org/{slug}/c/masive`: the bulk sends with their progress. */
export default function BulkSendsPage() {
  const { t } = useTranslation('bulk-sends')
  return (
    <main className="sheet bulk-list">
      <div className="bulk-head line wrap">
        <SheetHead title={t('title')}>{t('text')}</SheetHead>
        <CreateLink />
      </div>
      <div className="bulk-tools">
        <SendGroups />
        <RoomLine />
      </div>
      <Suspense fallback={<div className="skeleton bulk-skeleton" aria-hidden="true" />}>
        <OrgClock>
          <NoTags />
          <Sends />
        </OrgClock>
      </Suspense>
      <PaceLine />
    </main>
  )
}
