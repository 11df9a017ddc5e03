import { useTranslation } from 'react-i18next'
import { formulaFunctions } from '#shared/flows/formula/formula.ts'
import { formulaMaxChars } from '#shared/flows/formula/parse.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { useEditorActions } from '../editor/editor-context.ts'
import { SelectField, useFieldProblem } from '../forms/fields.tsx'
import { TextField } from '../forms/text-field.tsx'
import { VariableField } from '../forms/variable-field.tsx'

const keptAs = ['variable', 'formula', 'name', 'note'] as const
type KeptAs = (typeof keptAs)[number]
const keptAsOf = ({ contact, formula }: NodeOf<'set'>): KeptAs => contact ?? (formula ? 'formula' : 'variable')

export default function SetForm({ node }: { readonly node: NodeOf<'set'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const kept = keptAsOf(node)
  return (
    <>
      <SelectField
        label={t('field.keptAs')}
        value={kept}
        {...(kept === 'variable' ? {} : { hint: t(`keptAs.${kept}Hint`) })}
        onChange={value =>
          changeNode(node.id, {
            contact: value === 'name' || value === 'note' ? value : undefined,
            formula: value === 'formula' ? true : undefined,
          })
        }
      >
        {keptAs.map(one => (
          <option key={one} value={one}>
            {t(`keptAs.${one}`)}
          </option>
        ))}
      </SelectField>
      {node.contact ? null : (
        <VariableField
          label={t('field.variableName')}
          nodeId={node.id}
          value={node.variable}
          onChange={variable => changeNode(node.id, { variable }, `${node.id}.variable`)}
        />
      )}
      <TextField
        label={t(kept === 'formula' ? 'field.formula' : 'field.value')}
        value={node.value}
        max={kept === 'formula' ? formulaMaxChars : outboundLimits.text}
        rows={2}
        {...(kept === 'formula' ? { hint: t('field.formulaHelp', { functions: formulaFunctions.join(', ') }) } : {})}
        fault={useFieldProblem({ nodeId: node.id }, 'value')}
        onChange={value => changeNode(node.id, { value }, `${node.id}.value`)}
      />
    </>
  )
}
