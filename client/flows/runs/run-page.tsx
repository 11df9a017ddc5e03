import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useParams, useSearchParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { settle, start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { flowNamesQuery, membersQuery, teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { readGraph, readTriggers } from '#shared/flows/exchange.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { clockTime, countdown, fullTime } from '#shared/kernel/time.ts'
import { StepTrail } from '../canvas/step-trail.tsx'
import { runQuery } from '../queries.ts'
import { triggerText } from '../words.ts'
import { reasonText, runChip } from './run-words.ts'
import '../editor/editor.css'
import './runs.css'

export const loader = async (args: LoaderFunctionArgs) => {
  const { org = '', idRun = '' } = args.params
  await settle(args, runQuery(org, idRun))
  return start(args, tagsQuery(org), teamsQuery(org), membersQuery(org), flowNamesQuery(org))
}

/** Shorter waits are not shown. */
const shownGapMs = 1000

function Timeline({ id, place }: { readonly id: string; readonly place: number | undefined }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const { nodes, timeline } = useAnswer(runQuery(slug, id))
  const { items: tags } = useAnswer(tagsQuery(slug))
  const { items: teams } = useAnswer(teamsQuery(slug))
  const { items: members } = useAnswer(membersQuery(slug))
  const { items: flows } = useAnswer(flowNamesQuery(slug))
  const graph = useMemo(() => readGraph({ nodes: [...nodes], edges: [] }), [nodes])
  const names = {
    tags: new Map(tags.map(tag => [tag.id, tag.label])),
    teams: new Map(teams.map(team => [team.id, team.name])),
    members: new Map(members.map(member => [member.userId, member.name])),
    flows: new Map(flows.map(flow => [flow.id, flow.name])),
    sends: new Map<string, string>(),
    templates: new Map<string, string>(),
  }
  const timeOf = (at: number): string => {
    const [step, before] = [timeline[at], timeline[at - 1]]
    if (!step) return ''
    const gap = before ? Date.parse(step.at) - Date.parse(before.at) : 0
    const time = clockTime(step.at, timeZone)
    return gap < shownGapMs ? time : `${time} · ${t('run.after', { time: countdown(gap) })}`
  }
  const marked = timeline.findIndex(step => step.place === place)
  return (
    <>
      {marked === -1 ? null : <p>{t('run.said')}</p>}
      <StepTrail
        steps={timeline}
        graph={graph}
        names={names}
        timeOf={timeOf}
        marked={marked === -1 ? undefined : marked}
      />
    </>
  )
}

/** The trigger that started it, in its version of the flow. */
function Beginning({ id }: { readonly id: string }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { beganBy } = useAnswer(runQuery(slug, id))
  const { items } = useAnswer(tagsQuery(slug))
  const [trigger] = beganBy ? readTriggers([beganBy]) : []
  if (!trigger) return t('run.trigger')
  return triggerText(t, trigger, { tags: new Map(items.map(tag => [tag.id, tag.label])) })
}

function Run({ id, place }: { readonly id: string; readonly place: number | undefined }) {
  const { t, i18n } = useTranslation('flows')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const run = useAnswer(runQuery(slug, id))
  const { flowId, flowName, contact, isDeleted, state, reason, version, trigger, startedAt, endedAt, isTest } = run
  return (
    <>
      <SheetHead title={t('run.title', { name: contact?.name ?? t('runs.gone'), flow: flowName })}>
        {isDeleted ? t('run.deleted') : null}
      </SheetHead>
      <p className="card-buttons">
        {contact ? (
          <Link className="button" to={paths.chat(slug, contact.phone)}>
            {t('run.toChat')}
          </Link>
        ) : null}
        {isDeleted ? null : (
          <Link className="button" to={paths.flowRuns(slug, flowId)}>
            {t('run.all')}
          </Link>
        )}
      </p>
      <section className="card" aria-label={t('run.state')}>
        <dl className="facts-list">
          <dt>{t('run.state')}</dt>
          <dd>
            <span className={runChip(state)}>{t(`runs.state.${state}`)}</span>
          </dd>
          {reason === null ? null : (
            <>
              <dt>{t('run.why')}</dt>
              <dd>{reasonText(t, reason)}</dd>
            </>
          )}
          <dt>{t('run.version')}</dt>
          <dd>{isTest ? t('test.draft') : version}</dd>
          <dt>{t('run.begins')}</dt>
          <dd>
            {isTest || trigger === 'manual' ? (
              t(isTest ? 'run.test' : 'run.manual')
            ) : (
              <Suspense fallback={t('run.trigger')}>
                <Beginning id={id} />
              </Suspense>
            )}
          </dd>
          <dt>{t('run.started')}</dt>
          <dd>
            <time dateTime={startedAt}>
              {fullTime(startedAt, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)}
            </time>
          </dd>
          <dt>{t('run.took')}</dt>
          <dd>{endedAt === null ? t('run.still') : countdown(Date.parse(endedAt) - Date.parse(startedAt))}</dd>
        </dl>
      </section>
      <section className="card">
        <h2>{t('run.timeline')}</h2>
        <Suspense fallback={<div className="skeleton flow-runs-skeleton" aria-hidden="true" />}>
          <Timeline id={id} place={place} />
        </Suspense>
      </section>
    </>
  )
}

/** `/org/{slug}/flow/{idFlow}/runs/{idRun}?step=`: one customer's session, step by step. */
export default function RunPage() {
  const { idRun = '' } = useParams()
  const [query] = useSearchParams()
  const place = Number(query.get('step'))
  return (
    <main className="sheet sheet-narrow">
      <Suspense fallback={<div className="skeleton flow-runs-skeleton" aria-hidden="true" />}>
        <Run key={idRun} id={idRun} place={place || undefined} />
      </Suspense>
    </main>
  )
}
