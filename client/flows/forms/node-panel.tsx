import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { BubblePreview } from '#client/flows/canvas/bubble-preview.tsx'
import { NodeIcon } from '#client/flows/canvas/node-icon.tsx'
import { useEditorActions, useEditorFacts, useNow } from '#client/flows/editor/editor-context.ts'
import { problemText } from '#client/flows/editor/problem-words.ts'
import { titleOf } from '#client/flows/words.ts'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type FlowGraph, type FlowNode, flowLimits, stepColors } from '#shared/flows/graph.ts'
import { LineField, SelectField } from './fields.tsx'
import { HttpForm } from './http-form.tsx'
import { GotoForm, HandoffForm, SubflowForm } from './jump-forms.tsx'
import { ConditionForm, SetForm, TagForm, WaitForm } from './logic-forms.tsx'
import { ButtonsForm, MessageForm, QuestionForm } from './message-forms.tsx'
import { OutputsFields } from './outputs-fields.tsx'
import { TemplateForm } from './template-form.tsx'
import { TriggersForm } from './triggers-form.tsx'

function formOf(node: FlowNode, { graph, flush }: Pick<NodePanelProps, 'graph' | 'flush'>): ReactNode {
  switch (node.type) {
    case 'message':
      return <MessageForm node={node} />
    case 'template':
      return <TemplateForm node={node} />
    case 'question':
      return <QuestionForm node={node} />
    case 'buttons':
      return <ButtonsForm node={node} />
    case 'condition':
      return <ConditionForm node={node} />
    case 'set':
      return <SetForm node={node} />
    case 'tag':
      return <TagForm node={node} />
    case 'wait':
      return <WaitForm node={node} />
    case 'http':
      return <HttpForm node={node} flush={flush} />
    case 'goto':
      return <GotoForm node={node} graph={graph} />
    case 'subflow':
      return <SubflowForm node={node} />
    case 'handoff':
      return <HandoffForm node={node} />
    default:
      return null
  }
}

/** As it is with the letter typed just now; the rest of the panel follows a moment later. */
const useNodeNow = (node: FlowNode): FlowNode =>
  useNow(({ graph }) => graph.nodes.find(({ id }) => id === node.id) ?? node)

/** What starts the flow: the start's own content. */
const Triggers = () => <TriggersForm triggers={useNow(({ triggers }) => triggers)} />

/** What the step says or does, and how it comes out. */
function Content({ node, ...rest }: Pick<NodePanelProps, 'node' | 'graph' | 'flush'>) {
  const now = useNodeNow(node)
  return (
    <>
      {formOf(now, rest)}
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
  /** Changes when the keys shall go into the panel. */
  readonly focusKey: number
  /** The last one that was answered: a step pressed by the mouse leaves the keys where they are. */
  readonly answeredFocus: RefObject<number>
  /** Saves what is drawn; false: it could not. */
  flush(): Promise<boolean>
  onClose(): void
}

/** What one step says and does, and where it goes on. */
export function NodePanel({ node, graph, focusKey, answeredFocus, flush, onClose }: NodePanelProps) {
  const { t } = useTranslation('flows')
  const { changeNode, copy, duplicate, remove } = useEditorActions()
  const { problems, isReadOnly, isAsked } = useEditorFacts()
  const root = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for by a new key, also of the same step
  useEffect(() => {
    if (focusKey === answeredFocus.current) return
    answeredFocus.current = focusKey
    const field = root.current?.querySelector<HTMLElement>('.flow-panel-form :is(textarea, input, select)')
    ;(field ?? root.current)?.focus()
  }, [focusKey, node.id])
  const onKeyDown = (event: KeyboardEvent) => {
    // What is open inside closes first.
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
          {node.type === 'start' ? <Triggers /> : <Content node={node} graph={graph} flush={flush} />}
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
