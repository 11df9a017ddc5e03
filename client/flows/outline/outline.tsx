import { type KeyboardEvent, type MouseEvent, memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { MarkedText } from '#client/templates/body-snippet.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type FlowGraph, type FlowNode, type FlowNote, indexGraph } from '#shared/flows/graph.ts'
import { NodeIcon } from '../canvas/node-icon.tsx'
import { OutputFigure, StepFigures } from '../canvas/step-figures.tsx'
import { About, AddMenu } from '../editor/add-menu.tsx'
import { mainOutput } from '../editor/draft/draft.ts'
import { addNote } from '../editor/draft/operations.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { NoteField } from '../forms/note-field.tsx'
import { jumpsTo, summaryOf } from '../step-words.ts'
import { outputLabel, titleOf, variableName } from '../words.ts'
import {
  type OutlineBranch,
  type OutlineStep,
  type OutlineWay,
  outlineOf,
  stepsInOrder,
  type Tail,
} from './outline-tree.ts'

interface OutlineProps {
  readonly graph: FlowGraph
  readonly selected: readonly string[]
  /** The number of steps rendered per path; the rest follows once the view is known. Absent: all. */
  readonly most?: number | undefined
}
interface PartProps {
  readonly selected: ReadonlySet<string>
  readonly most: number | undefined
  node(id: string): FlowNode | undefined
}

/** The element of a step, in the outline or on the canvas. */
export const stepButton = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"], .react-flow__node[data-id="${CSS.escape(id)}"]`)

const StepButton = memo(function StepButton({ node, isSelected }: { node: FlowNode; isSelected: boolean }) {
  const { t } = useTranslation('flows')
  const { select, toggle } = useEditorActions()
  const { names, problems, beginsBy, trail, figures } = useEditorFacts()
  const says = node.type === 'start' ? beginsBy : summaryOf(t, node, names)
  const errors = problems.filter(({ nodeId, isError }) => isError && nodeId === node.id).length
  const press = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) toggle(node.id)
    // After a click by keyboard the focus goes to the panel.
    else select([node.id], event.detail === 0)
  }
  return (
    <button
      type="button"
      className="flow-step"
      data-step={node.id}
      data-color={node.color}
      data-taken={trail?.nodes.has(node.id)}
      aria-pressed={isSelected}
      onClick={press}
    >
      <NodeIcon type={node.type} />
      <span className="flow-step-text">
        <b className="cut">{titleOf(t, node)}</b>
        <span className="cut">
          <MarkedText text={says || t(`nodeHint.${node.type}`)} nameOf={name => variableName(t, name)} />
        </span>
        {figures ? <StepFigures id={node.id} /> : null}
      </span>
      {trail?.nodes.has(node.id) ? (
        <span className={trail.at === node.id ? 'chip flow-here' : 'chip chip-green'}>
          {trail.at === node.id ? null : <Icon name="tick" />}
          {t(trail.at === node.id ? 'trail.here' : 'trail.went')}
        </span>
      ) : null}
      {errors ? (
        <span className="chip chip-red">
          <Icon name="warn" />
          {t('problemCount', { count: errors })}
        </span>
      ) : null}
    </button>
  )
})

function WayEnd({ tail, about, node }: { readonly tail: Tail; readonly about?: string } & Pick<PartProps, 'node'>) {
  const { t } = useTranslation('flows')
  const { select } = useEditorActions()
  const { isReadOnly, names } = useEditorFacts()
  if (tail.kind === 'closed') return null
  if (tail.kind === 'joins' || tail.kind === 'continues') {
    const target = node(tail.nodeId)
    return target ? (
      <button
        type="button"
        className="link flow-joins"
        data-continues={tail.kind === 'continues'}
        onClick={() => {
          select([target.id])
          stepButton(target.id)?.focus()
        }}
      >
        <Icon name={tail.kind === 'joins' ? 'reply' : 'down'} />
        {t('outline.joins', { step: jumpsTo(t, target, names) })}
      </button>
    ) : null
  }
  if (isReadOnly) return <p className="flow-way-end">{t(tail.kind === 'ends' ? 'outline.ends' : 'outline.open')}</p>
  return (
    <div className="flow-way-end">
      {tail.kind === 'ends' ? <span>{t('outline.ends')}</span> : null}
      <AddMenu place={tail.place} isOpen={tail.kind === 'open'} label={t('outline.add')} about={about} />
    </div>
  )
}

function Branch({ branch, of, ...part }: PartProps & { readonly branch: OutlineBranch; readonly of: FlowNode }) {
  const { t } = useTranslation('flows')
  const { output } = branch.place
  const label = outputLabel(t, of, output)
  const isTap = of.type === 'buttons' && of.options.some(({ id }) => id === output)
  return (
    <li className="flow-branch" data-tap={isTap} data-usual={output === 'next'}>
      <h3>
        {label} <OutputFigure id={of.id} output={output} />
      </h3>
      <Way way={branch} label={label} about={`${titleOf(t, of)}, ${label}`} {...part} />
    </li>
  )
}

function Step({ step, ...part }: PartProps & { readonly step: OutlineStep }) {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  const { duplicate, remove } = useEditorActions()
  const { node, branches } = step
  const isSelected = part.selected.has(node.id)
  const output = mainOutput(node)
  const title = titleOf(t, node)
  return (
    <li>
      <StepButton node={node} isSelected={isSelected} />
      {isSelected && !isReadOnly && part.selected.size === 1 ? (
        <div className="flow-step-tools">
          {output === 'next' ? (
            <AddMenu
              place={{ from: node.id, output }}
              label={t('outline.addAfter')}
              className="link flow-add"
              about={title}
            />
          ) : null}
          {node.type === 'start' ? null : (
            <>
              <button type="button" className="link" onClick={() => duplicate([node.id])}>
                <Icon name="copy" />
                {t('duplicate')}
                <About what={title} />
              </button>
              <button type="button" className="link" onClick={() => remove([node.id])}>
                <Icon name="trash" />
                {t('remove')}
                <About what={title} />
              </button>
            </>
          )}
        </div>
      ) : null}
      {branches.length ? (
        <ul className="flow-branches" aria-label={t('outline.branches', { step: title })}>
          {branches.map(branch => (
            <Branch key={branch.place.output} branch={branch} of={node} {...part} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

interface WayProps extends PartProps {
  readonly way: OutlineWay
  readonly label: string
  /** The step and output it belongs to; absent: the flow itself. */
  readonly about?: string
}

function Way({ way, label, about, ...part }: WayProps) {
  const steps = way.steps.slice(0, part.most)
  return (
    <>
      {steps.length ? (
        <ol className="flow-way" aria-label={label}>
          {steps.map(step => (
            <Step key={step.node.id} step={step} {...part} />
          ))}
        </ol>
      ) : null}
      {steps.length < way.steps.length ? null : (
        <WayEnd tail={way.tail} node={part.node} {...(about ? { about } : {})} />
      )}
    </>
  )
}

function Notes({ notes }: { readonly notes: readonly FlowNote[] }) {
  const { t } = useTranslation('flows')
  const { change, remove } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  if (isReadOnly && !notes.length) return null
  return (
    <section className="flow-notes">
      {notes.length ? <h3>{t('canvas.notes')}</h3> : null}
      <ul hidden={!notes.length}>
        {notes.map(note => (
          <li key={note.id}>
            <NoteField note={note} />
            {isReadOnly ? null : (
              <button
                type="button"
                className="icon-button"
                aria-label={t('canvas.removeNote')}
                onClick={() => remove([note.id])}
              >
                <Icon name="trash" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {isReadOnly ? null : (
        <button type="button" className="link flow-add" onClick={() => change(one => addNote(one, { x: -260, y: 0 }))}>
          <Icon name="plus" />
          {t('canvas.addNote')}
        </button>
      )}
    </section>
  )
}

/** The flow as nested lists, fully editable by keyboard: arrows move, Enter opens, N adds, Delete removes. */
export const Outline = memo(function Outline({ graph, selected, most }: OutlineProps) {
  const { t } = useTranslation('flows')
  const { select, remove } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const outline = useMemo(() => outlineOf(graph), [graph])
  const order = useMemo(() => stepsInOrder(outline), [outline])
  const { node } = useMemo(() => indexGraph(graph), [graph])
  const part = { selected: useMemo(() => new Set(selected), [selected]), most, node }
  const onKeyDown = (event: KeyboardEvent) => {
    const here = (event.target as HTMLElement).dataset.step
    if (here === undefined || event.altKey) return
    const at = order.indexOf(here)
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }
    const to = order[steps[event.key] ?? -1]
    if (to !== undefined) {
      event.preventDefault()
      stepButton(to)?.focus()
      // With Shift the steps passed are selected.
      if (event.shiftKey) select([...new Set([...selected, here, to])])
    } else if (event.key.toLowerCase() === 'n' && !event.ctrlKey && !event.metaKey && !isReadOnly) {
      event.preventDefault()
      if (!selected.includes(here)) select([here])
      // Once its tools are there.
      requestAnimationFrame(() => stepButton(here)?.closest('li')?.querySelector<HTMLElement>('.flow-add')?.click())
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && !isReadOnly) {
      event.preventDefault()
      remove(selected.includes(here) ? selected : [here])
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the steps inside have the focus; their keys come here
    <div className="flow-outline" onKeyDown={onKeyDown}>
      <h2 className="sr-only">{t('outline.main')}</h2>
      <Way way={outline.main} label={t('outline.main')} {...part} />
      {outline.loose.length ? (
        <section className="flow-loose">
          <h3>{t('outline.loose')}</h3>
          <p className="field-hint">{t('outline.looseHint')}</p>
          {outline.loose.slice(0, most).map(way => (
            <Way key={way.steps[0]?.node.id} way={way} label={t('outline.loose')} {...part} />
          ))}
        </section>
      ) : null}
      <Notes notes={graph.notes ?? []} />
    </div>
  )
})
