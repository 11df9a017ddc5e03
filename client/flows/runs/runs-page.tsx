import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useParams, useSearchParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { settle, start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { sessionsKeptDays } from '#shared/flows/testing/replay.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { countdown, shortTime } from '#shared/kernel/time.ts'
import { type CountedRange, countedIn, flowQuery, runsQuery } from '../queries.ts'
import { RunFilters } from './run-filters.tsx'
import { reasonText, runChip } from './run-words.ts'
import './runs.css'

export const loader = async (args: LoaderFunctionArgs) => {
  const { org = '', idFlow = '' } = args.params
  await settle(args, flowQuery(org, idFlow))
  return start(args, runsQuery(org, idFlow, countedIn(new URL(args.request.url).searchParams)))
}

interface CountedProps extends CountedRange {
  readonly flowId: string
  readonly isEmpty: boolean
}

/** Says which sessions are listed, and leads to all. */
function Counted({ flowId, counted, since, until, step, isEmpty }: CountedProps) {
  const { t, i18n } = useTranslation('flows')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const at = (time: string | undefined) =>
    time === undefined ? '…' : shortTime(time, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)
  const node = useAnswer(flowQuery(slug, flowId)).graph.nodes.find(({ id }) => id === step)
  const stepName = node?.data?.name || (node ? t(`node.${node.type}`) : step)
  return (
    <p role="status">
      {t(`runs.counted.${counted}`)} {step === undefined ? `${at(since)} – ${at(until)}` : stepName}
      {isEmpty ? ` · ${t('runs.counted.none')}` : null} ·{' '}
      <Link to={paths.flowRuns(slug, flowId)}>{t('runs.counted.all')}</Link>
    </p>
  )
}

function Runs({ flowId }: { readonly flowId: string }) {
  const { t, i18n } = useTranslation('flows')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const [query] = useSearchParams()
  const counted = countedIn(query)
  const list = useSuspensePages(runsQuery(slug, flowId, counted))
  const runs = list.data.pages.flatMap(page => page.items)
  if (!runs.length && !counted) return <Empty icon="flow" says={t('runs.none')} />
  return (
    <>
      {counted ? <Counted flowId={flowId} isEmpty={!runs.length} {...counted} /> : null}
      <ul className="flow-runs">
        {runs.map(({ id, contact, state, reason, version, steps, startedAt, endedAt, isTest }) => (
          <li key={id}>
            <Link to={paths.flowRun(slug, flowId, id)}>
              <b className="cut" dir="auto">
                {contact?.name ?? t('runs.gone')}
              </b>
              <span className={runChip(state)}>{t(`runs.state.${state}`)}</span>
              <small>
                <time dateTime={startedAt}>
                  {shortTime(startedAt, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)}
                </time>
                {[
                  '',
                  t('runs.steps', { count: steps }),
                  ...(endedAt === null ? [] : [countdown(Date.parse(endedAt) - Date.parse(startedAt))]),
                  isTest ? t('test.mark') : t('runs.version', { version }),
                  ...(reason === null || reason === 'asked' ? [] : [reasonText(t, reason)]),
                ].join(' · ')}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      <MoreButton list={list} more={t('runs.more')} failed={t('runs.moreFailed')} />
    </>
  )
}

function Head({ flowId }: { readonly flowId: string }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { name } = useAnswer(flowQuery(slug, flowId))
  return (
    <SheetHead title={t('runs.titleOf', { name })}>
      {t('runs.text', { days: sessionsKeptDays })} <Link to={paths.flow(slug, flowId)}>{t('runs.toEditor')}</Link>
    </SheetHead>
  )
}

/** `/org/{slug}/flow/{idFlow}/runs`: the sessions of a flow, newest first. */
export default function RunsPage() {
  const { t } = useTranslation('flows')
  const { idFlow = '' } = useParams()
  return (
    <main className="sheet">
      <Suspense fallback={<span className="skeleton flow-runs-skeleton" />}>
        <Head flowId={idFlow} />
      </Suspense>
      <section className="card" aria-label={t('runs.title')}>
        <Suspense fallback={<div className="flow-run-filters" />}>
          <RunFilters flowId={idFlow} />
        </Suspense>
        <Suspense fallback={<div className="skeleton flow-runs-skeleton" aria-hidden="true" />}>
          <Runs flowId={idFlow} />
        </Suspense>
      </section>
    </main>
  )
}
