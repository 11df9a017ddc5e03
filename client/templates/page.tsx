import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { OrgClock, orgClockQuery } from '#client/shell/org-clock.tsx'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan, rolesWith } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import type { Template } from '#shared/templates/api.ts'
import { EarlierNotice } from './earlier-notice.tsx'
import { ListFilters } from './list-filters.tsx'
import { editsTemplates, filtersOf, listQuery, syncQuery } from './queries.ts'
import { SyncFailure, SyncStatus } from './sync-status.tsx'
import { TemplateRow } from './template-row.tsx'
import { useTemplateEvents } from './use-template-events.ts'
import './words.css'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import './list.css'

const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'))

export const loader = (args: LoaderFunctionArgs) => {
  const { org = '' } = args.params
  const filters = filtersOf(new URL(args.request.url).searchParams)
  return start(args, orgClockQuery(org), wabaQuery(org), syncQuery(org), listQuery(org, filters))
}

const CreateButton = () => {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  return (
    <Link className="button button-primary" to={paths.templateCreate(slug)}>
      <Icon name="plus" />
      {t('create')}
    </Link>
  )
}

/** Templates belong to a number, and none is connected. */
function NoNumber() {
  const { t } = useTranslation('templates')
  const { slug, role } = useOrg()
  const mayConnect = roleCan(effectiveRole(role), 'connection:manage')
  return (
    <Empty
      icon="plug"
      says={t('none')}
      action={
        mayConnect ? (
          <Link className="button button-primary" to={`${paths.companyCreation()}?org=${slug}`}>
            {t('connect')}
          </Link>
        ) : (
          <Link className="button" to={paths.chats(slug)}>
            {t('toChats')}
          </Link>
        )
      }
    >
      <p>{t('noNumber')}</p>
    </Empty>
  )
}

/** Why there are no rows: no match, the first read is running, or there are no templates. */
function NoRows() {
  const { t } = useTranslation('templates')
  const { slug, role } = useOrg()
  const [query] = useSearchParams()
  const { state, total } = useAnswer(syncQuery(slug))
  if (Object.keys(filtersOf(query)).length)
    return (
      <Empty
        icon="search"
        says={t('noMatch')}
        action={
          <Link className="button" to={paths.templates(slug)} replace>
            {t('filter.clear')}
          </Link>
        }
      />
    )
  if (state === 'waiting' && !total) return <RowsSkeleton />
  return (
    <Empty icon="form" says={t('none')} action={editsTemplates(role) ? <CreateButton /> : undefined}>
      <p>{t('text')}</p>
    </Empty>
  )
}

const RowsSkeleton = () => (
  <div className="template-skeleton stack-l" aria-hidden="true">
    {[1, 2, 3, 4, 5, 6].map(i => (
      <span key={i} className="skeleton" />
    ))}
  </div>
)

function Rows() {
  const { t } = useTranslation('templates')
  const { slug, role } = useOrg()
  const [query] = useSearchParams()
  const [removed, setRemoved] = useState<Template>()
  const list = useSuspensePages(listQuery(slug, filtersOf(query)))
  const templates = list.data.pages.flatMap(page => page.items)
  const mayEdit = editsTemplates(role)
  if (!templates.length) return <NoRows />
  return (
    <>
      <table className="template-table">
        <caption className="sr-only">{t('title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('column.template')}</th>
            <th scope="col">{t('column.status')}</th>
            <th scope="col">{t('category.label')}</th>
            <th scope="col">{t('quality.label')}</th>
            <th scope="col">{t('column.uses')}</th>
            <th scope="col">{t('column.updated')}</th>
            {mayEdit ? (
              <th scope="col">
                <span className="sr-only">{t('column.actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {templates.map(template => (
            <TemplateRow key={template.id} template={template} remove={mayEdit ? setRemoved : undefined} />
          ))}
        </tbody>
      </table>
      {list.hasNextPage ? (
        <div className="template-more">
          <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
        </div>
      ) : null}
      {removed ? <DeleteDialog template={removed} onClose={() => setRemoved(undefined)} /> : null}
    </>
  )
}

function Templates() {
  const { t, i18n } = useTranslation('templates')
  const { t: shell } = useTranslation('shell')
  const { slug, role } = useOrg()
  const waba = useAnswer(wabaQuery(slug))
  useTemplateEvents(slug)
  if (waba.phone === null)
    return (
      <div className="sheet">
        <h1>{t('title')}</h1>
        <NoNumber />
      </div>
    )
  const editors = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
    rolesWith('template:edit').map(one => shell(`role.${one}`)),
  )
  return (
    <>
      <div className="template-head line wrap">
        <h1>{t('title')}</h1>
        <SyncStatus />
        {editsTemplates(role) ? <CreateButton /> : null}
      </div>
      <SyncFailure />
      {editsTemplates(role) ? <EarlierNotice /> : null}
      {editsTemplates(role) ? null : <p className="template-note small">{t('readOnly', { roles: editors })}</p>}
      <ListFilters />
      <Suspense fallback={<RowsSkeleton />}>
        <Rows />
      </Suspense>
    </>
  )
}

/** `/org/{slug}/template`: the templates of the connected account. */
export default function TemplatesPage() {
  const { t } = useTranslation('templates')
  return (
    <main className="template-list">
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      <Suspense fallback={<RowsSkeleton />}>
        <OrgClock>
          <Templates />
        </OrgClock>
      </Suspense>
    </main>
  )
}
