import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeOf } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { type AnswerKind, answerKinds } from '#shared/flows/nodes/question.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { useEditorActions } from '../editor/editor-context.ts'
import { LineField, SelectField, useFieldProblem } from '../forms/fields.tsx'
import { FallbackFields } from '../forms/template-fields.tsx'
import { TextField } from '../forms/text-field.tsx'
import { TimeoutField } from '../forms/timeout-field.tsx'
import { VariableField } from '../forms/variable-field.tsx'

export default function QuestionForm({ node }: { readonly node: NodeOf<'question'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { id } = node
  const patternFault = useFieldProblem({ nodeId: id }, 'pattern')
  const answers = useMemo(
    () =>
      answerKinds.map(one => (
        <option key={one} value={one}>
          {t(`answer.${one}`)}
        </option>
      )),
    [t],
  )
  const attempts = useMemo(
    () =>
      Array.from({ length: flowLimits.attempts }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number is what it is
        <option key={i} value={i + 1}>
          {t('field.times', { count: i + 1 })}
        </option>
      )),
    [t],
  )
  return (
    <>
      <TextField
        label={t('field.question')}
        value={node.text}
        max={outboundLimits.text}
        fault={useFieldProblem({ nodeId: id }, 'text')}
        onChange={text => changeNode(id, { text }, `${id}.text`)}
      />
      <SelectField
        label={t('field.answer')}
        value={node.expects}
        onChange={value => changeNode(id, { expects: value as AnswerKind })}
      >
        {answers}
      </SelectField>
      {node.expects === 'pattern' ? (
        <LineField
          label={t('field.pattern')}
          value={node.pattern ?? ''}
          maxLength={200}
          isCode
          hint={t('field.patternHint')}
          fault={patternFault}
          onChange={pattern => changeNode(id, { pattern: pattern || undefined }, `${id}.pattern`)}
        />
      ) : null}
      <VariableField
        label={t('field.savesTo')}
        nodeId={id}
        value={node.variable}
        onChange={variable => changeNode(id, { variable }, `${id}.variable`)}
      />
      <TextField
        label={t('field.retry')}
        hint={t('field.retryHint')}
        value={node.retryText ?? ''}
        max={outboundLimits.text}
        rows={2}
        fault={useFieldProblem({ nodeId: id }, 'retryText')}
        onChange={retryText => changeNode(id, { retryText: retryText || undefined }, `${id}.retryText`)}
      />
      <SelectField
        label={t('field.attempts')}
        value={String(node.attempts)}
        onChange={value => changeNode(id, { attempts: Number(value) })}
      >
        {attempts}
      </SelectField>
      <TimeoutField value={node.timeoutMs} onChange={timeoutMs => changeNode(id, { timeoutMs })} />
      <FallbackFields node={node} />
    </>
  )
}
