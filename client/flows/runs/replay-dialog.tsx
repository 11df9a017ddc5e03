import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import type { EndpointReply } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { Flow } from '#shared/flows/api.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { readIn, replayLimits, replayVerdicts } from '#shared/flows/testing/replay.ts'
import type { FlowReplay } from '#shared/flows/testing/replays.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { useEditorFacts } from '../editor/editor-context.ts'
import { editsFlows, replayQuery } from '../queries.ts'
import { listedAs } from '../step-words.ts'
import { triggerText } from '../words.ts'
import { runChip } from './run-words.ts'
import './replay.css'

type Replayed = EndpointReply<'flowReplays.listReplayed'>['items'][number]

const spans = [7, 30, replayLimits.days] as const
/** The dialog checks the progress this often. */
const lookEveryMs = 700

function Difference({ one, graph }: { readonly one: Replayed; readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { names } = useEditorFacts()
  const stepOf = (id: string | null) => {
    if (id === null) return t('replay.over')
    const node = graph.nodes.find(node => node.id === id)
    return node ? listedAs(t, node, names) : t('trail.gone')
  }
  const { contact, state, would, parting, was, verdict } = one
  const messages = would.transcript.filter(({ by }) => by === 'flow')
  /** The former text of each line, if it differs. */
  const formers = new Map(messages.map((line, i) => [line, was[i] === readIn(line) ? undefined : was[i]]))
  return (
    <li>
      <details>
        <summary>
          <b className="cut" dir="auto">
            {contact?.name ?? t('runs.gone')}
          </b>
          {verdict === 'words' || verdict === 'way' ? <small>{t(`replay.verdict.${verdict}`)}</small> : null}
          <span className={runChip(state)}>{t(`runs.state.${state}`)}</span>
          {state === would.state ? null : (
            <>
              <span aria-hidden="true">→</span>
              <span className="sr-only">{t('replay.would')}</span>
              <span className={would.state === 'tooLong' ? 'chip chip-red' : runChip(would.state)}>
                {t(`runs.state.${would.state}`)}
              </span>
            </>
          )}
        </summary>
        {parting ? <p>{t('replay.parting', { was: stepOf(parting.was), would: stepOf(parting.would) })}</p> : null}
        <ol>
          {would.transcript.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said stays where it was said
            <li key={place} data-by={line.by}>
              <b>{t(line.by === 'flow' ? 'play.flowSays' : 'play.customerSays')}</b>{' '}
              {(line.by === 'flow' ? readIn(line) : line.text) || t('play.file')}
              {formers.get(line) ? (
                <span className="flow-replay-former">{t('replay.former', { text: formers.get(line) })}</span>
              ) : null}
            </li>
          ))}
        </ol>
        <Link to={paths.flowRun(slug, one.flowId, one.id)}>{t('replay.was')}</Link>
      </details>
    </li>
  )
}

interface ReplayDialogProps {
  readonly flow: Flow
  readonly graph: FlowGraph
  readonly triggers: readonly FlowTrigger[]
  flush(): Promise<boolean>
  onClose(): void
}

/** The replayed conversations, page by page, with the changed ones first. */
function Conversations({ flow, graph, replay }: Pick<ReplayDialogProps, 'flow' | 'graph'> & { replay: FlowReplay }) {
  const { t } = useTranslation('flows')
  const api = useApi()
  const failureText = useFailureText()
  const [shown, setShown] = useState<{ items: readonly Replayed[]; next: number | null }>()
  const { same, ...others } = replay.counts
  const different = Object.values(others).reduce((sum, count) => sum + count, 0)
  const [hasAll, setHasAll] = useState(different === 0)
  const [failure, setFailure] = useState<string>()
  const [isLoading, load] = useTransition()
  const more = (after: number) =>
    load(async () => {
      setFailure(undefined)
      try {
        const found = await api.flowReplays.listReplayed({
          params: { id: flow.id },
          query: { after, differs: !hasAll },
        })
        setShown(now => ({ items: after ? [...(now?.items ?? []), ...found.items] : found.items, next: found.next }))
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another replay is another of these
  useEffect(() => more(0), [hasAll])
  const { items = [], next = null } = shown ?? {}
  return (
    <>
      {different && same ? (
        <label className="check">
          <input type="checkbox" checked={hasAll} onChange={({ target }) => setHasAll(target.checked)} />
          {t('replay.all')}
        </label>
      ) : null}
      {items.length ? (
        <ul className="flow-replay-list" aria-label={t(hasAll ? 'replay.conversations' : 'replay.different')}>
          {items.map(one => (
            <Difference key={one.id} one={one} graph={graph} />
          ))}
        </ul>
      ) : null}
      {failure ? <Fault>{failure}</Fault> : null}
      {next === null ? null : (
        <button type="button" className="button" aria-disabled={isLoading} onClick={() => isLoading || more(next)}>
          {t('runs.more')}
        </button>
      )}
    </>
  )
}

/** The progress and the counts, then the conversations that would change. */
function Sum({ flow, graph, replay }: Pick<ReplayDialogProps, 'flow' | 'graph'> & { replay: FlowReplay }) {
  const { t, i18n } = useTranslation('flows')
  const { timeZone } = useFacts()
  const { state, done, total, counts, startedBy, startedAt } = replay
  const date = shortTime(startedAt, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)
  return (
    <div className="flow-replay-sum">
      {state === 'running' ? <progress aria-label={t('replay.start')} value={done} max={Math.max(1, total)} /> : null}
      <p role="status">
        {state === 'running'
          ? t('replay.running', { done, total })
          : state === 'done' && !done
            ? t('replay.none')
            : t(`replay.${state}`, { count: done })}
      </p>
      <p className="field-hint">
        {state === 'running' ? t('replay.leave') : t('replay.by', { name: startedBy, date })}
      </p>
      {done ? (
        <dl>
          {replayVerdicts.map(verdict => (
            <div key={verdict} data-verdict={counts[verdict] ? verdict : undefined}>
              <dt>{t(`replay.verdict.${verdict}`)}</dt>
              <dd>{counts[verdict]}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {state !== 'running' && done ? <Conversations key={replay.id} flow={flow} graph={graph} replay={replay} /> : null}
    </div>
  )
}

/** Replays customers' messages of earlier sessions on the draft: for whom it would change. Nothing is sent. */
export default function ReplayDialog({ flow, graph, triggers, flush, onClose }: ReplayDialogProps) {
  const { t } = useTranslation('flows')
  const { t: common } = useTranslation()
  const { slug, role } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const daysId = useId()
  const triggerId = useId()
  const { names } = useEditorFacts()
  const [trigger, setTrigger] = useState('')
  const [days, setDays] = useState<number>(spans[0])
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const query = replayQuery(slug, flow.id)
  const { data } = useQuery({
    ...query,
    refetchInterval: ({ state }) => (state.data?.replay?.state === 'running' ? lookEveryMs : false),
  })
  const replay = data?.replay
  const isRunning = replay?.state === 'running'
  const attempt = (run: () => Promise<unknown>) =>
    work(async () => {
      setFailure(undefined)
      try {
        await run()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const begin = () =>
    attempt(async () => {
      if (!(await flush())) return setFailure(t('save.first'))
      const begun = await api.flowReplays.begin({
        params: { id: flow.id },
        body: { days, ...(trigger ? { trigger } : {}) },
      })
      client.setQueryData(query.queryKey, { replay: begun })
    })
  const stop = () =>
    attempt(async () => {
      await api.flowReplays.stop({ params: { id: flow.id } })
      await client.invalidateQueries({ queryKey: query.queryKey })
    })
  return (
    <Modal title={t('replay.title')} width={640} onClose={onClose}>
      <div className="flow-replay">
        <p className="field-hint">{t('replay.hint')}</p>
        {editsFlows(role) ? (
          <div className="field">
            <label htmlFor={daysId}>{t('replay.since')}</label>
            <select
              id={daysId}
              value={days}
              disabled={isRunning}
              onChange={({ target }) => setDays(Number(target.value))}
            >
              {spans.map(count => (
                <option key={count} value={count}>
                  {t('replay.days', { count })}
                </option>
              ))}
            </select>
          </div>
        ) : null}
        {editsFlows(role) ? (
          <div className="field">
            <label htmlFor={triggerId}>{t('replay.begunBy')}</label>
            <select
              id={triggerId}
              value={trigger}
              disabled={isRunning}
              onChange={({ target }) => setTrigger(target.value)}
            >
              <option value="">{t('replay.anyTrigger')}</option>
              {triggers.map(one => (
                <option key={one.id} value={one.id} dir="auto">
                  {triggerText(t, one, names)}
                </option>
              ))}
            </select>
          </div>
        ) : null}
        {failure ? <Fault>{failure}</Fault> : null}
        {replay ? <Sum flow={flow} graph={graph} replay={replay} /> : null}
        {data && !replay && !editsFlows(role) ? <p>{t('replay.neverYet')}</p> : null}
      </div>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {common('close')}
        </button>
        {editsFlows(role) ? (
          isRunning ? (
            <button type="button" className="button" aria-disabled={isWorking} onClick={() => isWorking || stop()}>
              {t('replay.stop')}
            </button>
          ) : (
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isWorking}
              onClick={() => isWorking || begin()}
            >
              {t(replay ? 'replay.again' : 'replay.start')}
            </button>
          )
        ) : null}
      </div>
    </Modal>
  )
}
