import { useTranslation } from 'react-i18next'
import { LineField, useFieldProblem } from './fields.tsx'
import { variableNameOf } from './variable-name.ts'

interface VariableFieldProps {
  readonly label: string
  readonly nodeId: string
  readonly value: string
  onChange(name: string): void
}

/** The name of the variable that stores the value. */
export function VariableField({ label, nodeId, value, onChange }: VariableFieldProps) {
  const { t } = useTranslation('flows')
  return (
    <LineField
      label={label}
      value={value}
      maxLength={40}
      isCode
      hint={value ? t('field.usedAs', { name: `{{flujo.${value}}}` }) : t('field.variableHint')}
      fault={useFieldProblem({ nodeId }, 'variable')}
      onChange={typed => onChange(variableNameOf(typed))}
    />
  )
}
