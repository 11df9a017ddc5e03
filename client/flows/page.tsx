import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useNavigate } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { start } from '#client/app/queries/queries.ts'
import { useAnswer, useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { flowNamesQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { MomentProvider } from '#client/ui/text/moment.tsx'
import type { FlowName, FlowSummary } from '#shared/flows/api.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { fold } from '#shared/kernel/fold.ts'
import { paths } from '#shared/kernel/paths.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { readDraft } from './editor/draft/draft.ts'
import { useFlowListEvents } from './editor/use-flow-events.ts'
import { type FlowActions, FlowRow } from './flow-row.tsx'
import { OddCases } from './forms/odd-cases.tsx'
import { saveFlowFile } from './import/exchange.ts'
import { editsFlows, flowQuery, flowsQuery, refreshFlows } from './queries.ts'
import { StarterRow } from './starter-row.tsx'
import './list.css'

const SecretsDialog = lazyDialog(() => import('./forms/secrets-dialog.tsx'))
const SettingsDialog = lazyDialog(() => import('./forms/settings-dialog.tsx'))
const CreateDialog = lazyDialog(() => import('./create-dialog.tsx'))
const RemoveDialog = lazyDialog(() => import('./remove-dialog.tsx'))

export const loader = (args: LoaderFunctionArgs) =>
  start(
    args,
    flowsQuery(args.params.org ?? ''),
    flowNamesQuery(args.params.org ?? ''),
    tagsQuery(args.params.org ?? ''),
  )

/** Up to this many flows, the page also offers ready-made ones. */
const fewFlows = 5

const RowsSkeleton = () => (
  <div className="flow-skeleton stack-l" aria-hidden="true">
    {[1, 2, 3, 4].map(i => (
      <span key={i} className="skeleton" />
    ))}
  </div>
)

/** The actions of a row; failures are shown, and changes appear only after the server has confirmed them. */
const useFlowActions = (names: readonly FlowName[], remove: (flow: FlowSummary) => void): FlowActions => {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const failureText = useFailureText()
  const run = async (work: () => Promise<unknown>) => {
    try {
      await work()
      await refreshFlows(client, slug)
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
      await refreshFlows(client, slug)
    }
  }
  return {
    remove,
    setPaused: (flow, isPaused) =>
      void run(async () => {
        await api.flows.pause({ params: { id: flow.id }, body: { paused: isPaused } })
        toast(t(isPaused ? 'paused' : 'enabled', { name: flow.name }), { kind: 'success' })
      }),
    duplicate: flow =>
      void run(async () => {
        const { name, graph, triggers } = await client.fetchQuery({ ...flowQuery(slug, flow.id), staleTime: 0 })
        const copyName = t('copyName', { name }).slice(0, flowLimits.name)
        const copy = await api.flows.create({ body: { name: copyName, graph, triggers } })
        toast(t('duplicated'), { kind: 'success' })
        await navigate(paths.flow(slug, copy.id))
      }),
    save: flow =>
      void run(async () =>
        saveFlowFile(readDraft(await client.fetchQuery({ ...flowQuery(slug, flow.id), staleTime: 0 }))),
      ),
    moveTo: (flow, place) =>
      void run(async () => {
        const items = names.filter(({ id }) => id !== flow.id)
        items.splice(place, 0, flow)
        client.setQueryData(flowNamesQuery(slug).queryKey, { items })
        await api.flows.order({ body: { ids: items.map(({ id }) => id) } })
      }),
  }
}

interface FlowTableProps {
  readonly search: string
  create(): void
}

function FlowTable({ search, create }: FlowTableProps) {
  const { t } = useTranslation('flows')
  const { slug, role } = useOrg()
  const list = useSuspensePages(flowsQuery(slug))
  const { items: all } = useAnswer(flowNamesQuery(slug))
  const tags = useOptionalAnswer(tagsQuery(slug))
  const [removed, setRemoved] = useState<FlowSummary>()
  const [dragged, setDragged] = useState<FlowSummary>()
  const mayEdit = editsFlows(role)
  const actions = useFlowActions(all, setRemoved)
  const names = { tags: new Map(tags?.items.map(({ id, label }) => [id, label])) }
  const places = new Map(all.map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: FlowSummary) => places.get(id) ?? all.length
  // Sorted by the order of all flows, which a move changes first.
  const items = list.data.pages.flatMap(page => page.items).sort((a, b) => placeOf(a) - placeOf(b))
  const wanted = fold(search.trim())
  const shown = items.filter(({ name }) => fold(name).includes(wanted))
  // A search loads all pages, of which there are few.
  const isSearching = wanted !== '' && list.hasNextPage && !list.isFetchNextPageError
  const { fetchNextPage, isFetchingNextPage } = list
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) void fetchNextPage()
  }, [isSearching, isFetchingNextPage, fetchNextPage])
  if (!items.length)
    return (
      <Empty
        icon="flow"
        says={t('none')}
        action={
          mayEdit ? (
            <button type="button" className="button button-primary" onClick={create}>
              <Icon name="plus" />
              {t('create')}
            </button>
          ) : undefined
        }
      >
        {mayEdit ? <p>{t('noneWhy')}</p> : null}
      </Empty>
    )
  if (!shown.length) return isSearching ? <RowsSkeleton /> : <Empty icon="search" says={t('noMatch')} />
  return (
    <>
      <table className="flow-table">
        <caption className="sr-only">{t('title')}</caption>
        <thead>
          <tr>
            {(['name', 'status', 'triggers', 'runs', 'completed', 'handedOff', 'edited'] as const).map(column => (
              <th key={column} scope="col">
                {t(`column.${column}`)}
              </th>
            ))}
            {mayEdit ? (
              <th scope="col">
                <span className="sr-only">{t('column.actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {shown.map(flow => (
            <FlowRow
              key={flow.id}
              flow={flow}
              names={names}
              place={placeOf(flow)}
              isLast={flow.id === all.at(-1)?.id}
              dragged={dragged && placeOf(dragged)}
              onDrag={setDragged}
              onDrop={() => {
                if (dragged && dragged !== flow) actions.moveTo(dragged, placeOf(flow))
                setDragged(undefined)
              }}
              actions={mayEdit ? actions : undefined}
            />
          ))}
        </tbody>
      </table>
      <div className="flow-more">
        <MoreButton list={list} more={t('runs.more')} failed={t('runs.moreFailed')} />
      </div>
      <p className="flow-order-note">{t('orderHint')}</p>
      {mayEdit && all.length <= fewFlows && !wanted ? <StarterRow /> : null}
      <OddCases />
      {removed ? <RemoveDialog flow={removed} onClose={() => setRemoved(undefined)} /> : null}
    </>
  )
}

/** `/org/{slug}/flow`: the flows, in the order in which their triggers are checked. */
export default function FlowsPage() {
  const { t, i18n } = useTranslation('flows')
  const { t: shell } = useTranslation('shell')
  const { slug, role } = useOrg()
  const [isCreating, setCreating] = useState(false)
  const [isShowingSecrets, setShowingSecrets] = useState(false)
  const [isShowingSettings, setShowingSettings] = useState(false)
  const [search, setSearch] = useState('')
  useFlowListEvents(slug)
  const mayEdit = editsFlows(role)
  const editors = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
    rolesWith('flow:edit').map(one => shell(`role.${one}`)),
  )
  return (
    <main className="flow-list">
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      <div className="flow-list-head line wrap">
        <div>
          <h1>{t('title')}</h1>
          <p>{mayEdit ? t('text') : `${t('text')} ${t('readOnly', { roles: editors })}`}</p>
        </div>
        <input
          type="search"
          className="flow-search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        {mayEdit ? (
          <RowMenu
            label={t('listActions')}
            items={() => (
              <>
                <MenuItem onClick={() => setShowingSettings(true)}>{t('settings.open')}</MenuItem>
                <MenuItem onClick={() => setShowingSecrets(true)}>{t('secret.open')}</MenuItem>
              </>
            )}
          />
        ) : null}
        {mayEdit ? (
          <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            {t('create')}
          </button>
        ) : null}
      </div>
      <MomentProvider>
        <Suspense fallback={<RowsSkeleton />}>
          <FlowTable search={search} create={() => setCreating(true)} />
        </Suspense>
      </MomentProvider>
      {isCreating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
      {isShowingSettings ? <SettingsDialog onClose={() => setShowingSettings(false)} /> : null}
      {isShowingSecrets ? <SecretsDialog onClose={() => setShowingSecrets(false)} /> : null}
    </main>
  )
}
