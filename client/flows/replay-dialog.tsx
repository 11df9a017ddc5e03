import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { EndpointReply } from '#client/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/field.tsx'
import { Modal } from '#client/ui/mui-dialog.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import type { FlowGraph } from '#shared/flow-graph.ts'
import { type ReplayVerdict, replayLimits, replayVerdicts } from '#shared/flow-replay.ts'
import type { Flow } from '#shared/flows.ts'
import { paths } from '#shared/paths.ts'
import { useEditorFacts } from './editor-context.ts'
import { runChip } from './run-words.ts'
import { listedAs } from './words.ts'
import './replay.css'

type Replayed = EndpointReply<'flows.replay'>['items'][number]

/** Of those that differ: who reads more than these publishes or draws on. */
const mostShown = 100
const spans = [7, 30, replayLimits.days] as const

interface Tally {
  readonly state: 'running' | 'stopped' | 'done'
  readonly counts: Readonly<Record<ReplayVerdict, number>>
  readonly different: readonly Replayed[]
}
const nothing: Tally = { state: 'running', counts: { same: 0, way: 0, end: 0 }, different: [] }
const totalOf = ({ counts }: Tally): number => counts.same + counts.way + counts.end

const addTo = (tally: Tally, items: readonly Replayed[]): Tally => {
  const counts = { ...tally.counts }
  for (const { verdict } of items) counts[verdict] += 1
  const more = items.filter(({ verdict }) => verdict !== 'same')
  return { ...tally, counts, different: [...tally.different, ...more].slice(0, mostShown) }
}

function Difference({ one, graph }: { readonly one: Replayed; readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { names } = useEditorFacts()
  const stepOf = (id: string | null) => {
    if (id === null) return t('replay.over')
    const node = graph.nodes.find(node => node.id === id)
    return node ? listedAs(t, node, names) : t('trail.gone')
  }
  const { contact, state, would, parting } = one
  return (
    <li>
      <details>
        <summary>
          <b className="cut">{contact?.name ?? t('runs.gone')}</b>
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
              <b>{t(line.by === 'flow' ? 'play.flowSays' : 'play.customerSays')}</b> {line.text || t('play.file')}
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
  flush(): Promise<boolean>
  onClose(): void
}

/** What is drawn, played with what customers wrote in earlier sessions: for whom it would differ. Nothing is sent. */
export default function ReplayDialog({ flow, graph, flush, onClose }: ReplayDialogProps) {
  const { t } = useTranslation('flows')
  const { t: common } = useTranslation()
  const api = useApi()
  const failureText = useFailureText()
  const daysId = useId()
  const [days, setDays] = useState<number>(spans[0])
  const [tally, setTally] = useState<Tally>()
  const [failure, setFailure] = useState<string>()
  /** Which of the plays goes on; another number ends it. */
  const turn = useRef(0)
  useEffect(
    () => () => {
      turn.current += 1
    },
    [],
  )
  const play = async () => {
    turn.current += 1
    const mine = turn.current
    setFailure(undefined)
    let now = nothing
    setTally(now)
    try {
      if (!(await flush())) {
        setTally(undefined)
        return setFailure(t('save.first'))
      }
      for (let after: string | null = '', count = 0; after !== null && count < replayLimits.runs; ) {
        const body: { days: number; after?: string } = after === '' ? { days } : { days, after }
        const { items, next }: EndpointReply<'flows.replay'> = await api.flows.replay({ params: { id: flow.id }, body })
        if (mine !== turn.current) return
        now = addTo(now, items)
        setTally(now)
        count += items.length
        after = next
      }
      setTally({ ...now, state: 'done' })
    } catch (error) {
      if (mine !== turn.current) return
      setTally({ ...now, state: 'stopped' })
      setFailure(failureText(error))
    }
  }
  const stop = () => {
    turn.current += 1
    setTally(now => now && { ...now, state: 'stopped' })
  }
  const isRunning = tally?.state === 'running'
  const total = tally ? totalOf(tally) : 0
  return (
    <Modal title={t('replay.title')} width={640} onClose={onClose}>
      <div className="flow-replay">
        <p className="field-hint">{t('replay.hint')}</p>
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
        {failure ? <Fault>{failure}</Fault> : null}
        {tally ? (
          <div className="flow-replay-sum">
            {isRunning ? <progress aria-label={t('replay.running')} /> : null}
            <p role="status">
              {tally.state === 'done' && !total ? t('replay.none') : t(`replay.${tally.state}`, { count: total })}
            </p>
            {total ? (
              <dl>
                {replayVerdicts.map(verdict => (
                  <div key={verdict} data-verdict={verdict}>
                    <dt>{t(`replay.verdict.${verdict}`)}</dt>
                    <dd>{tally.counts[verdict]}</dd>
                  </div>
                ))}
              </dl>
            ) : null}
            {tally.different.length ? (
              <ul className="flow-replay-list" aria-label={t('replay.different')}>
                {tally.different.map(one => (
                  <Difference key={one.id} one={one} graph={graph} />
                ))}
              </ul>
            ) : null}
            {tally.counts.way + tally.counts.end > mostShown ? (
              <p className="field-hint">{t('replay.more', { count: mostShown })}</p>
            ) : null}
          </div>
        ) : null}
      </div>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {common('close')}
        </button>
        {isRunning ? (
          <button type="button" className="button" onClick={stop}>
            {t('replay.stop')}
          </button>
        ) : (
          <button type="button" className="button button-primary" onClick={() => void play()}>
            {t(tally ? 'replay.again' : 'replay.start')}
          </button>
        )}
      </div>
    </Modal>
  )
}
