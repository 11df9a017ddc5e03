import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FlowGraph, type FlowNode, nodeKind, outputsOf } from '#shared/flows/graph.ts'
import { type AddableType, addableTypes, edgeAt } from '../editor/draft/draft.ts'
import { connect, disconnect } from '../editor/draft/operations.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { outputLabel } from '../words.ts'
import { SelectField, useFieldProblem } from './fields.tsx'
import { StepOption } from './step-option.tsx'

interface OutputFieldProps {
  readonly node: FlowNode
  readonly output: string
  readonly graph: FlowGraph
  /** Options: the kinds of step, and the other steps. */
  readonly kinds: ReactNode
  readonly others: ReactNode
}

/** The target of one output: a step, a new one, the end, or none yet. */
function OutputField({ node, output, graph, kinds, others }: OutputFieldProps) {
  const { t } = useTranslation('flows')
  const { change, add } = useEditorActions()
  const { names } = useEditorFacts()
  const place = { from: node.id, output }
  const edge = edgeAt(graph, place)
  const target = edge ? `to:${edge.to}` : node.ends?.includes(output) ? 'end' : ''
  const lead = (value: string) => {
    if (value === '') change(one => disconnect(one, place))
    else if (value === 'end') change(one => disconnect(one, place, true))
    else if (value.startsWith('to:')) change(one => connect(one, place, value.slice(3)))
    else add(value.slice(4) as AddableType, place)
  }
  return (
    <SelectField
      label={outputLabel(t, node, output)}
      value={target}
      fault={useFieldProblem({ nodeId: node.id }, output)}
      isAction
      onChange={lead}
    >
      <option value="">{t(nodeKind(node).personAt === output ? 'outputs.openError' : 'outputs.open')}</option>
      <option value="end">{t('outputs.end')}</option>
      <optgroup label={t('outputs.new')}>{kinds}</optgroup>
      <optgroup label={t('outputs.existing')}>
        {target === `to:${node.id}` ? <StepOption value={target} node={node} names={names} t={t} /> : null}
        {others}
      </optgroup>
    </SelectField>
  )
}

/** Up to this many options cost no noticeable time. */
const few = 50

/** The same array while no step changed, because there may be hundreds and typing changes another one. */
const useSameItems = (items: readonly FlowNode[]): readonly FlowNode[] => {
  const kept = useRef(items)
  const isSame = items.length === kept.current.length && items.every((one, i) => one === kept.current[i])
  if (!isSame) kept.current = items
  return kept.current
}

/** The target of each output of a step: connects steps without a mouse. */
export const OutputsFields = memo(function OutputsFields({ node, graph }: Pick<OutputFieldProps, 'node' | 'graph'>) {
  const { t } = useTranslation('flows')
  const { names } = useEditorFacts()
  const others = graph.nodes.filter(one => one.id !== node.id && one.type !== 'start')
  const [isWanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  // All possible targets are rendered only when the user is about to choose; before, only current ones.
  const led = new Set(graph.edges.flatMap(({ from, to }) => (from === node.id ? [to] : [])))
  const offered = useSameItems(isWanted || others.length <= few ? others : others.filter(({ id }) => led.has(id)))
  const options = useMemo(
    () => offered.map(one => <StepOption key={one.id} value={`to:${one.id}`} node={one} names={names} t={t} />),
    [offered, names, t],
  )
  const kinds = useMemo(
    () =>
      addableTypes.map(type => (
        <option key={type} value={`new:${type}`}>
          {t(`node.${type}`)}
        </option>
      )),
    [t],
  )
  const outputs = outputsOf(node)
  if (!outputs.length) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its fields are what is pressed; their events come here
    <section className="flow-outputs" onFocus={want} onPointerDown={want}>
      <h3>{t('outputs.title')}</h3>
      {outputs.map(output => (
        <OutputField key={output} node={node} output={output} graph={graph} kinds={kinds} others={options} />
      ))}
    </section>
  )
})
