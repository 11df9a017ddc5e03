import { useTranslation } from 'react-i18next'
import { type FlowTrigger, triggerLimits } from '#shared/flows/triggers/triggers.ts'
import { useEditorFacts } from '../editor/editor-context.ts'
import { NumberField, SelectField, useFieldProblem } from './fields.tsx'
import { HookFields } from './hook-fields.tsx'
import { TagOptions } from './tag-options.tsx'
import { variableNameOf } from './variable-name.ts'
import { WordsField } from './words-field.tsx'

const matches = ['equals', 'startsWith', 'contains', 'pattern'] as const

/** The words as valid variable names. Duplicates stay, because a name being typed may be the beginning of another. */
const namesIn = (words: readonly string[]): string[] =>
  words.map(variableNameOf).filter(Boolean).slice(0, triggerLimits.variables)

export type TriggerChange = (part: object, key?: string) => void

function CampaignFields({
  trigger,
  change,
}: {
  readonly trigger: Extract<FlowTrigger, { kind: 'campaign' }>
  readonly change: TriggerChange
}) {
  const { t } = useTranslation('flows')
  const { names } = useEditorFacts()
  const fault = useFieldProblem({ triggerId: trigger.id }, 'sendId')
  const { sendId = '', withinDays } = trigger
  return (
    <>
      <SelectField
        label={t('trigger.send')}
        value={sendId}
        fault={fault}
        onChange={value => change({ sendId: value || undefined })}
      >
        <option value="">{t('trigger.anySend')}</option>
        {sendId && !names.sends.has(sendId) ? <option value={sendId}>{t('trigger.otherSend')}</option> : null}
        {[...names.sends].map(([id, label]) => (
          <option key={id} value={id} dir="auto">
            {label}
          </option>
        ))}
      </SelectField>
      <NumberField
        label={t('trigger.withinDays')}
        value={withinDays}
        min={1}
        max={triggerLimits.answerDays}
        onChange={days => change({ withinDays: days }, 'days')}
      />
    </>
  )
}

/** The fields that only triggers of this kind have. */
export function KindFields({ trigger, change }: { readonly trigger: FlowTrigger; readonly change: TriggerChange }) {
  const { t } = useTranslation('flows')
  const wordsFault = useFieldProblem({ triggerId: trigger.id }, 'words')
  const tagFault = useFieldProblem({ triggerId: trigger.id }, 'changedTagId')
  switch (trigger.kind) {
    case 'keyword':
      return (
        <>
          <SelectField label={t('trigger.match')} value={trigger.match} onChange={match => change({ match })}>
            {matches.map(match => (
              <option key={match} value={match}>
                {t(`trigger.is.${match}`)}
              </option>
            ))}
          </SelectField>
          <WordsField
            label={t('trigger.words')}
            hint={t(trigger.match === 'pattern' ? 'trigger.patternHint' : 'trigger.wordsHint')}
            words={trigger.words}
            max={200}
            fault={wordsFault}
            onChange={words => change({ words }, 'words')}
          />
        </>
      )
    case 'reopened':
      return (
        <NumberField
          label={t('trigger.afterHours')}
          value={trigger.afterHours}
          min={1}
          max={8760}
          onChange={afterHours => change({ afterHours }, 'hours')}
        />
      )
    case 'ad':
      return (
        <WordsField
          label={t('trigger.ads')}
          hint={t('trigger.adsHint')}
          words={trigger.ids}
          max={64}
          fault={undefined}
          onChange={ids => change({ ids }, 'ids')}
        />
      )
    case 'campaign':
      return <CampaignFields trigger={trigger} change={change} />
    case 'webhook':
      return (
        <>
          <WordsField
            label={t('trigger.variables')}
            hint={t('trigger.variablesHint', {
              name: `{{flujo.${trigger.variables[0] ?? t('trigger.variableExample')}}}`,
            })}
            words={trigger.variables}
            max={40}
            fault={undefined}
            onChange={words => change({ variables: namesIn(words) }, 'variables')}
          />
          <HookFields variables={trigger.variables} />
        </>
      )
    case 'action':
      return (
        <WordsField
          label={t('trigger.ids')}
          hint={t('trigger.idsHint')}
          words={trigger.ids}
          max={256}
          fault={undefined}
          onChange={ids => change({ ids }, 'ids')}
        />
      )
    case 'tagAdded':
    case 'tagRemoved':
      return (
        <SelectField
          label={t('field.tag')}
          value={trigger.changedTagId}
          fault={tagFault}
          onChange={changedTagId => change({ changedTagId })}
        >
          <TagOptions chosen={trigger.changedTagId} />
        </SelectField>
      )
    default:
      return null
  }
}
