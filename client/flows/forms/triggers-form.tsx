import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditorActions, useEditorFacts } from '#client/flows/editor/editor-context.ts'
import { newPartId } from '#client/flows/editor/part-id.ts'
import { problemText } from '#client/flows/editor/problem-words.ts'
import { triggerText } from '#client/flows/words.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { flowLimits } from '#shared/flows/limits.ts'
import { type FlowTrigger, type TriggerKind, triggerLimits } from '#shared/flows/triggers.ts'
import { CheckField, NumberField, SelectField, useFieldProblem } from './fields.tsx'
import { HookFields } from './hook-fields.tsx'
import { TagOptions } from './tag-options.tsx'
import { variableNameOf } from './variable-name.ts'

const triggerKinds: readonly TriggerKind[] = [
  'keyword',
  'firstMessage',
  'reopened',
  'action',
  'campaign',
  'ad',
  'tagAdded',
  'tagRemoved',
  'webhook',
  'manual',
  'default',
]

const newTrigger = (kind: TriggerKind): FlowTrigger => {
  const id = newPartId()
  switch (kind) {
    case 'keyword':
      return { id, kind, match: 'equals', words: [] }
    case 'reopened':
      return { id, kind, afterHours: usualAfterHours }
    case 'action':
    case 'ad':
      return { id, kind, ids: [] }
    case 'campaign':
      return { id, kind, withinDays: triggerLimits.answerDays }
    case 'tagAdded':
    case 'tagRemoved':
      return { id, kind, changedTagId: '' }
    case 'webhook':
      return { id, kind, variables: [] }
    default:
      return { id, kind }
  }
}

const maxWords = 50
const usualAfterHours = 24
const matches = ['equals', 'startsWith', 'contains', 'pattern'] as const
/** One per line, because words may contain commas. */
const linesOf = (text: string, max: number): string[] =>
  text
    .split('\n')
    .map(line => line.trim().slice(0, max))
    .filter(Boolean)
    .slice(0, maxWords)

/** As valid variable names. Duplicates stay, because a name being typed may be the beginning of another. */
const namesIn = (words: readonly string[]): string[] =>
  words.map(variableNameOf).filter(Boolean).slice(0, triggerLimits.variables)

interface WordsFieldProps {
  readonly label: string
  readonly hint: string
  readonly words: readonly string[]
  readonly max: number
  readonly fault: string | undefined
  onChange(words: string[]): void
}

/** Several texts, one per line. */
function WordsField({ label, hint, words, max, fault, onChange }: WordsFieldProps) {
  const id = useId()
  const { isReadOnly } = useEditorFacts()
  // Empty lines are not words, but must stay while typing.
  const [typed, setTyped] = useState('')
  const known = words.join('\n')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        dir="auto"
        id={id}
        rows={3}
        readOnly={isReadOnly}
        value={linesOf(typed, max).join('\n') === known ? typed : known}
        aria-invalid={Boolean(fault)}
        aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ''}`}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(linesOf(target.value, max))
        }}
      />
      <div id={`${id}-hint`} className="field-hint">
        {hint}
      </div>
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
    </div>
  )
}

type Change = (part: object, key?: string) => void

function CampaignFields({
  trigger,
  change,
}: {
  readonly trigger: Extract<FlowTrigger, { kind: 'campaign' }>
  readonly change: Change
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

function KindFields({ trigger, change }: { readonly trigger: FlowTrigger; readonly change: Change }) {
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

function TriggerOptions({ trigger, change }: { readonly trigger: FlowTrigger; readonly change: Change }) {
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

function TriggerFields({ trigger }: { readonly trigger: FlowTrigger }) {
  const { t } = useTranslation('flows')
  const { changeTriggers } = useEditorActions()
  const { names, problems, isReadOnly } = useEditorFacts()
  const headId = useId()
  const { id, kind } = trigger
  const own = problems.find(({ triggerId, field }) => triggerId === id && !field)
  const change: Change = (part, key) =>
    changeTriggers(
      all =>
        all.map(one => {
          if (one.id !== id) return one
          const next = { ...one, ...part } as Record<string, unknown>
          for (const [name, value] of Object.entries(next)) if (value === undefined) delete next[name]
          return next as unknown as FlowTrigger
        }),
      key && `${id}.${key}`,
    )
  return (
    <li className="flow-trigger">
      <div className="flow-rule-head">
        <h4 id={headId}>{t(`trigger.kind.${kind}`)}</h4>
        {isReadOnly ? null : (
          <button
            type="button"
            className="icon-button"
            aria-label={t('trigger.remove', { trigger: triggerText(t, trigger, names) })}
            data-tip={t('remove')}
            onClick={() => changeTriggers(all => all.filter(one => one.id !== id))}
          >
            <Icon name="trash" />
          </button>
        )}
      </div>
      <p className="field-hint">{t(`trigger.hint.${kind}`)}</p>
      {own ? <Fault>{problemText(t, own)}</Fault> : null}
      {/* biome-ignore lint/a11y/useSemanticElements: it stands in an item of a list, and its head names it */}
      <div className="flow-trigger-fields" role="group" aria-labelledby={headId}>
        <KindFields trigger={trigger} change={change} />
        <TriggerOptions trigger={trigger} change={change} />
      </div>
    </li>
  )
}

/** The flow's triggers, in the panel of the start. */
export function TriggersForm({ triggers }: { readonly triggers: readonly FlowTrigger[] }) {
  const { t } = useTranslation('flows')
  const { changeTriggers } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  return (
    <section className="flow-triggers">
      <h3>{t('trigger.title')}</h3>
      {triggers.length ? (
        <ul>
          {triggers.map(trigger => (
            <TriggerFields key={trigger.id} trigger={trigger} />
          ))}
        </ul>
      ) : (
        <p className="field-hint">{t('trigger.none')}</p>
      )}
      {isReadOnly || triggers.length >= flowLimits.triggers ? null : (
        <Menu
          label={t('trigger.add')}
          className="link flow-add"
          side="below-start"
          button={
            <>
              <Icon name="plus" />
              {t('trigger.add')}
            </>
          }
        >
          {() =>
            triggerKinds.map(kind => (
              <MenuItem key={kind} onClick={() => changeTriggers(all => [...all, newTrigger(kind)])}>
                {t(`trigger.kind.${kind}`)}
              </MenuItem>
            ))
          }
        </Menu>
      )}
    </section>
  )
}
