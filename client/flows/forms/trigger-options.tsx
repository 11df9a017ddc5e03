import { useTranslation } from 'react-i18next'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import { useEditorFacts } from '../editor/editor-context.ts'
import { CheckField, SelectField, useFieldProblem } from './fields.tsx'
import type { TriggerChange } from './trigger-fields.tsx'

/** The fields that say when a trigger applies, and to which customers. */
export function TriggerOptions({ trigger, change }: { readonly trigger: FlowTrigger; readonly change: TriggerChange }) {
  const { t } = useTranslation('flows')
  const { names } = useEditorFacts()
  const tagFault = useFieldProblem({ triggerId: trigger.id }, 'tagId')
  const { hours, tagId, oncePerContact } = trigger
  if (trigger.kind === 'manual') return null
  return (
    <>
      <SelectField
        label={t('trigger.when')}
        value={hours ?? ''}
        {...(hours ? { hint: t('trigger.hoursHint') } : {})}
        onChange={value => change({ hours: value || undefined })}
      >
        <option value="">{t('trigger.always')}</option>
        <option value="inside">{t('trigger.inside')}</option>
        <option value="outside">{t('trigger.outside')}</option>
      </SelectField>
      {names.tags.size || tagId ? (
        <SelectField
          label={t('trigger.forWhom')}
          value={tagId === undefined ? '' : `tag:${tagId}`}
          fault={tagFault}
          onChange={value => change({ tagId: value ? value.slice(4) : undefined })}
        >
          <option value="">{t('trigger.everybody')}</option>
          {tagId !== undefined && !names.tags.has(tagId) ? (
            <option value={`tag:${tagId}`}>{t('field.gone')}</option>
          ) : null}
          {[...names.tags].map(([id, label]) => (
            <option key={id} value={`tag:${id}`}>
              {t('trigger.withTag', { tag: label })}
            </option>
          ))}
        </SelectField>
      ) : null}
      <CheckField
        label={t('trigger.once')}
        checked={Boolean(oncePerContact)}
        onChange={checked => change({ oncePerContact: checked || undefined })}
      />
    </>
  )
}
