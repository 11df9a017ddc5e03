import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { stepColors } from '#shared/flows/nodes/kind.ts'
import { BubblePreview } from '../canvas/bubble-preview.tsx'
import { NodeIcon } from '../canvas/node-icon.tsx'
import { useEditorActions, useEditorFacts, useNow } from '../editor/editor-context.ts'
import { problemText } from '../editor/problems/words.ts'
import { nodeForm } from '../nodes/forms.ts'
import { listedAs } from '../step-words.ts'
import { titleOf } from '../words.ts'
import { LineField, SelectField } from './fields.tsx'
import { OutputsFields } from './outputs-fields.tsx'

/** Including the letter just typed; the rest of the panel follows a moment later. */
const useNodeNow = (node: FlowNode): FlowNode =>
  useNow(({ graph }) => graph.nodes.find(({ id }) => id === node.id) ?? node)

/** The step's content, and its preview. */
function Content({ node, ...rest }: Pick<NodePanelProps, 'node' | 'graph' | 'flush'>) {
  const { t } = useTranslation('flows')
  const { names } = useEditorFacts()
  const now = useNodeNow(node)
  const Form = nodeForm(node.type)
  return (
    <>
      {Form ? <Form node={now} nameOf={step => listedAs(t, step, names)} {...rest} /> : null}
      <BubblePreview node={now} />
    </>
  )
}

function NameField({ node }: Pick<NodePanelProps, 'node'>) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { id, name = '', type } = useNodeNow(node)
  return (
    <LineField
      label={t('field.name')}
      hint={t('field.nameHint')}
      value={name}
      maxLength={flowLimits.name}
      placeholder={t(`node.${type}`)}
      onChange={next => changeNode(id, { name: next || undefined }, `${id}.name`)}
    />
  )
}

interface NodePanelProps {
  readonly node: FlowNode
  readonly graph: FlowGraph
  /** Changes when the panel should get the focus. */
  readonly focusKey: number
  /** The last value handled: selecting a step by mouse does not move the focus. */
  readonly answeredFocus: RefObject<number>
  /** Saves the draft; false: that failed. */
  flush(): Promise<boolean>
  onClose(): void
}

/** The panel of one step: its content and its outputs. */
export default function NodePanel({ node, graph, focusKey, answeredFocus, flush, onClose }: NodePanelProps) {
  const { t } = useTranslation('flows')
  const { changeNode, copy, duplicate, remove } = useEditorActions()
  const { problems, isReadOnly, isAsked } = useEditorFacts()
  const root = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for by a new key, also of the same step
  useEffect(() => {
    if (focusKey === answeredFocus.current) return
    answeredFocus.current = focusKey
    const field = root.current?.querySelector<HTMLElement>(
      '.flow-panel-form :is(textarea, input, select, .flow-triggers > .flow-add)',
    )
    ;(field ?? root.current)?.focus()
  }, [focusKey, node.id])
  const onKeyDown = (event: KeyboardEvent) => {
    // A popover inside closes first.
    if (event.key !== 'Escape' || event.defaultPrevented || (event.target as Element).closest('[popover]')) return
    event.preventDefault()
    onClose()
  }
  const here = isAsked ? problems.filter(({ nodeId }) => nodeId === node.id) : []
  return (
    <aside
      className="flow-panel"
      aria-label={t('panel', { step: titleOf(t, node) })}
      ref={root}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="flow-panel-head">
        <NodeIcon type={node.type} />
        <h2 className="cut">{titleOf(t, node)}</h2>
        {isReadOnly || node.type === 'start' ? null : (
          <RowMenu
            label={t('actionsOfStep', { step: titleOf(t, node) })}
            items={() => (
              <>
                <MenuItem onClick={() => duplicate([node.id])}>{t('duplicate')}</MenuItem>
                <MenuItem onClick={() => copy([node.id])}>{t('copy')}</MenuItem>
                <MenuItem danger onClick={() => remove([node.id])}>
                  {t('remove')}
                </MenuItem>
              </>
            )}
          />
        )}
        <button type="button" className="icon-button" aria-label={t('closePanel')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div className="flow-panel-body">
        <div className="flow-panel-form">
          <p className="field-hint">{t(`nodeHint.${node.type}`)}</p>
          {here.length ? (
            <ul className="flow-panel-problems">
              {here.map(problem => (
                <li key={`${problem.code} ${problem.field}`}>{problemText(t, problem)}</li>
              ))}
            </ul>
          ) : null}
          <Content node={node} graph={graph} flush={flush} />
          <OutputsFields node={node} graph={graph} />
          {node.type === 'start' ? null : <NameField node={node} />}
          <SelectField
            label={t('field.color')}
            value={node.color ?? ''}
            onChange={value => changeNode(node.id, { color: stepColors.find(one => one === value) })}
          >
            <option value="">{t('color.none')}</option>
            {stepColors.map(color => (
              <option key={color} value={color}>
                {t(`color.${color}`)}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
    </aside>
  )
}
