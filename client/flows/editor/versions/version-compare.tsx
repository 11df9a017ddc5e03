import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { readGraph, readTriggers } from '#shared/flows/exchange.ts'
import { type FlowGraph, type FlowNode, nodeKind, outputsOf } from '#shared/flows/graph.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import { NodeIcon } from '../../canvas/node-icon.tsx'
import { sayingOf } from '../../step-words.ts'
import { outputLabel, titleOf, triggerText } from '../../words.ts'
import type { FlowDraft } from '../draft/draft.ts'
import { useEditorFacts } from '../editor-context.ts'
import { type Compared, compareGraphs } from './compare.ts'

type Drawn = Pick<FlowDraft, 'graph' | 'triggers'>

const marks = { added: '+', removed: '−', changed: '≠', same: '' } as const

/** The targets of a step, one line per connected output. */
function Leads({ node, graph }: { readonly node: FlowNode; readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const nodes = new Map(graph.nodes.map(one => [one.id, one]))
  return graph.edges
    .filter(({ from }) => from === node.id)
    .map(({ id, output, to }) => {
      const target = nodes.get(to)
      return (
        <small key={id}>
          {outputLabel(t, node, output)} → {target ? titleOf(t, target) : '…'}
        </small>
      )
    })
}

interface CellProps {
  readonly node: FlowNode | undefined
  readonly graph: FlowGraph
  readonly showsLeads: boolean
}
function Cell({ node, graph, showsLeads }: CellProps) {
  const { t } = useTranslation('flows')
  const { names } = useEditorFacts()
  if (!node)
    return (
      <td className="flow-compare-none">
        <span className="sr-only">{t('versions.notThere')}</span>
      </td>
    )
  const options = outputsOf(node).flatMap(output => nodeKind(node).outputName?.(node, output) ?? [])
  return (
    <td>
      <b>
        <NodeIcon type={node.type} />
        {titleOf(t, node)}
      </b>
      <p>{sayingOf(t, node, names)}</p>
      {options.length ? <p>{options.join(' · ')}</p> : null}
      {showsLeads ? <Leads node={node} graph={graph} /> : null}
    </td>
  )
}

function Row({ row, before, after }: { readonly row: Compared; readonly before: Drawn; readonly after: Drawn }) {
  const { t } = useTranslation('flows')
  return (
    <tr data-change={row.change}>
      <th scope="row">
        <span aria-hidden="true">{marks[row.change]}</span>
        <span className="sr-only">{t(`versions.${row.change}`)}</span>
      </th>
      <Cell node={row.before} graph={before.graph} showsLeads={row.leadsElsewhere} />
      <Cell node={row.after} graph={after.graph} showsLeads={row.leadsElsewhere} />
    </tr>
  )
}

interface CompareProps {
  readonly flowId: string
  /** All published versions, newest first. */
  readonly versions: readonly number[]
  readonly version: number
  readonly draft: Drawn
}

/** A version beside the draft or another version: added, removed and changed steps are marked. */
export function VersionCompare({ flowId, versions, version, draft }: CompareProps) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { names } = useEditorFacts()
  const [other, setOther] = useState<number>()
  const [showsAll, setShowsAll] = useState(false)
  const versionQuery = (of: number) => queryFor(slug, 'flows.getVersion', { params: { id: flowId, version: of } })
  const first = useQuery(versionQuery(version))
  const second = useQuery({ ...versionQuery(other ?? version), enabled: other !== undefined })
  if (first.isError || second.isError) return <Fault>{t('versions.failed')}</Fault>
  if (!first.data || (other !== undefined && !second.data)) return <span className="skeleton flow-version-skeleton" />
  const read = ({ graph, triggers }: NonNullable<typeof first.data>): Drawn => ({
    graph: readGraph(graph),
    triggers: readTriggers(triggers),
  })
  const chosen = read(first.data)
  const against = second.data && other !== undefined ? read(second.data) : draft
  // The older one is on the left, whichever was chosen first.
  const isTurned = other !== undefined && other < version
  const [before, after] = isTurned ? [against, chosen] : [chosen, against]
  const rows = compareGraphs(before.graph, after.graph)
  const changed = rows.filter(({ change }) => change !== 'same')
  const beginsBy = (triggers: readonly FlowTrigger[]) => triggers.map(one => triggerText(t, one, names)).join(' · ')
  const isOtherBegin = JSON.stringify(before.triggers) !== JSON.stringify(after.triggers)
  const nameOf = (of: number | undefined) =>
    of === undefined ? t('versions.draft') : t('versions.number', { version: of })
  const isSame = !changed.length && !isOtherBegin
  return (
    <div className="flow-compare">
      <div className="flow-compare-head">
        <label>
          {t('versions.with')}
          <select
            value={other ?? ''}
            onChange={({ target }) => setOther(target.value ? Number(target.value) : undefined)}
          >
            <option value="" dir="auto">
              {nameOf(undefined)}
            </option>
            {versions
              .filter(one => one !== version)
              .map(one => (
                <option key={one} value={one} dir="auto">
                  {nameOf(one)}
                </option>
              ))}
          </select>
        </label>
        <label className="check">
          <input type="checkbox" checked={showsAll} onChange={({ target }) => setShowsAll(target.checked)} />
          {t('versions.showAll')}
        </label>
      </div>
      {isSame ? (
        <p className="field-hint">
          <Icon name="tick" /> {t(other === undefined ? 'versions.same' : 'versions.alike')}
        </p>
      ) : null}
      {isSame && !showsAll ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">{t('versions.change')}</span>
              </th>
              <th scope="col">{nameOf(isTurned ? other : version)}</th>
              <th scope="col">{nameOf(isTurned ? version : other)}</th>
            </tr>
          </thead>
          <tbody>
            {isOtherBegin ? (
              <tr data-change="changed">
                <th scope="row">
                  <span aria-hidden="true">{marks.changed}</span>
                  <span className="sr-only">{t('versions.changed')}</span>
                </th>
                {[before, after].map((drawn, side) => (
                  <td key={side === 0 ? 'before' : 'after'}>
                    <b>{t('column.triggers')}</b>
                    <p>{beginsBy(drawn.triggers) || '…'}</p>
                  </td>
                ))}
              </tr>
            ) : null}
            {(showsAll ? rows : changed).map(row => (
              <Row key={row.id} row={row} before={before} after={after} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
