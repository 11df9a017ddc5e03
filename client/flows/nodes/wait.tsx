import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Labelled } from '#client/ui/controls/field.tsx'
import { TimeInput } from '#client/ui/controls/time-input.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'
import { flowLimits, type WaitUnit, waitUnitMs } from '#shared/flows/limits.ts'
import { readWait } from '#shared/flows/nodes/wait.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { NumberField, SelectField } from '../forms/fields.tsx'

const waitUnits = ['seconds', 'minutes', 'hours', 'days'] as const

const UntilField = ({ time, onChange }: { readonly time: string; onChange(time: string): void }) => {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  return (
    <Labelled label={t('field.until')}>
      {control => <TimeInput {...control} required value={time} readOnly={isReadOnly} onChange={onChange} />}
    </Labelled>
  )
}

function ForField({ node: { id, ms } }: { readonly node: NodeOf<'wait'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  // 60 minutes stay 60 minutes while they are typed.
  const [typed, setTyped] = useState(() => readWait(ms))
  const { amount, unit } = typed.amount * waitUnitMs[typed.unit] === ms ? typed : readWait(ms)
  const change = (amount: number, unit: WaitUnit, key?: string) => {
    setTyped({ amount, unit })
    changeNode(id, { ms: amount * waitUnitMs[unit] }, key)
  }
  return (
    <div className="flow-pair">
      <NumberField
        label={t('field.amount')}
        value={amount}
        min={1}
        max={flowLimits.waitDays}
        onChange={amount => change(amount, unit, `${id}.amount`)}
      />
      <SelectField label={t('field.unit')} value={unit} onChange={unit => change(amount, unit as WaitUnit)}>
        {waitUnits.map(one => (
          <option key={one} value={one}>
            {t(`unit.${one}`)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

export default function WaitForm({ node }: { readonly node: NodeOf<'wait'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  return (
    <>
      <SelectField
        label={t('field.waits')}
        value={node.until === undefined ? 'for' : 'until'}
        onChange={value => changeNode(node.id, { until: value === 'until' ? '09:00' : undefined })}
      >
        <option value="for">{t('waits.for')}</option>
        <option value="until">{t('waits.until')}</option>
      </SelectField>
      {node.until === undefined ? (
        <ForField key={node.id} node={node} />
      ) : (
        <UntilField time={node.until} onChange={until => changeNode(node.id, { until }, `${node.id}.until`)} />
      )}
    </>
  )
}
