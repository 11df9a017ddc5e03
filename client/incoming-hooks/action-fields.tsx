import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#client/app/queries/queries.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { membersQuery, teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { Field, Labelled } from '#client/ui/controls/field.tsx'
import { canBeSent, neededValues } from '#shared/flows/templates.ts'
import { statusApproved } from '#shared/templates/words.ts'
import type { HookDraft } from './draft.ts'
import { MappedField } from './mapped-field.tsx'
import { flowsQuery } from './queries.ts'
import type { SampleField } from './sample.ts'

interface ActionFieldsProps {
  readonly draft: HookDraft
  readonly fields: readonly SampleField[]
  /** The error of a field of the action. */
  faultOf(field: string): string | undefined
  onChange(part: Partial<HookDraft>): void
}

interface ChoiceProps {
  readonly label: string
  readonly none: string
  readonly value: string
  readonly fault?: string | undefined
  readonly choices: readonly { readonly id: string; readonly label: string }[]
  onChange(value: string): void
}

function Choice({ label, none, value, fault, choices, onChange }: ChoiceProps): ReactNode {
  const isGone = value !== '' && !choices.some(({ id }) => id === value)
  return (
    <Labelled label={label} fault={fault}>
      {control => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="" dir="auto">
            {none}
          </option>
          {isGone ? (
            <option value={value} dir="auto">
              {value}
            </option>
          ) : null}
          {choices.map(choice => (
            <option key={choice.id} value={choice.id} dir="auto">
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

function TemplateFields({ draft, fields, faultOf, onChange }: ActionFieldsProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data } = useQuery({
    ...queryFor(slug, 'templates.list', { query: { status: statusApproved, ...(search ? { search } : {}) } }),
    placeholderData: keepPreviousData,
  })
  const templates = (data?.items ?? []).filter(({ components }) => canBeSent(components))
  const listed = templates.find(({ name, language }) => `${name} ${language}` === draft.template)
  const [name = '', language = ''] = draft.template.split(' ')
  // A chosen one stays although a search does not find it.
  const { data: named } = useQuery({
    ...queryFor(slug, 'templates.getByName', { params: { name }, query: { language } }),
    enabled: Boolean(draft.template && data && !listed),
  })
  const chosen = listed ?? (named?.language === language ? named : undefined)
  const offered = listed || !chosen ? templates : [chosen, ...templates]
  const set = (at: string, value: string) => onChange({ values: { ...draft.values, [at]: value } })
  return (
    <>
      {typed || data?.hasMore ? (
        <Field
          type="search"
          dir="auto"
          label={t('incoming.findTemplate')}
          autoComplete="off"
          maxLength={200}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      ) : null}
      <Choice
        label={t('incoming.template')}
        none={t('incoming.pick')}
        value={draft.template}
        fault={faultOf('template')}
        choices={offered.map(({ name, language }) => ({ id: `${name} ${language}`, label: `${name} (${language})` }))}
        onChange={template => onChange({ template, values: {} })}
      />
      {chosen
        ? neededValues(chosen.components).map(({ at, part, name }) => (
            <MappedField
              key={at}
              label={t(`incoming.value.${part}`, { name })}
              fields={fields}
              value={draft.values[at] ?? ''}
              fault={faultOf(`values.${at}`)}
              onChange={value => set(at, value)}
            />
          ))
        : null}
    </>
  )
}

function FlowFields({ draft, fields, faultOf, onChange }: ActionFieldsProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { data } = useQuery(flowsQuery(slug))
  const live = (data?.items ?? []).filter(({ state }) => state === 'live')
  const triggers = live.find(({ id }) => id === draft.flowId)?.triggers ?? []
  const names = triggers.flatMap(trigger => (trigger.kind === 'webhook' ? (trigger.variables ?? []) : []))
  return (
    <>
      <Choice
        label={t('incoming.flow')}
        none={t('incoming.pick')}
        value={draft.flowId}
        fault={faultOf('flowId')}
        choices={live.map(({ id, name }) => ({ id, label: name }))}
        onChange={flowId => onChange({ flowId, variables: {} })}
      />
      {[...new Set(names)].map(name => (
        <MappedField
          key={name}
          label={t('incoming.variable', { name })}
          fields={fields}
          value={draft.variables[name] ?? ''}
          fault={faultOf(`variables.${name}`)}
          onChange={value => onChange({ variables: { ...draft.variables, [name]: value } })}
        />
      ))}
    </>
  )
}

function TagField({ draft, faultOf, onChange }: ActionFieldsProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { data } = useQuery(tagsQuery(slug))
  return (
    <Choice
      label={t('incoming.tag')}
      none={t('incoming.pick')}
      value={draft.tagId}
      fault={faultOf('tagId')}
      choices={(data?.items ?? []).map(({ id, label }) => ({ id, label }))}
      onChange={tagId => onChange({ tagId })}
    />
  )
}

function ContactFields({ draft, fields, faultOf, onChange }: ActionFieldsProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { data } = useQuery(contactFieldsQuery(slug))
  if (!data) return null
  const known = data.items.map(({ id, label }) => ({ id, label: t('incoming.contactField', { label }) }))
  // Calls are refused until its value is removed.
  const gone = Object.keys(draft.contactFields).filter(id => !known.some(one => one.id === id))
  return [...known, ...gone.map(id => ({ id, label: t('incoming.goneField') }))].map(({ id, label }) => (
    <MappedField
      key={id}
      label={label}
      fields={fields}
      value={draft.contactFields[id] ?? ''}
      fault={faultOf(`fields.${id}`)}
      onChange={value => onChange({ contactFields: { ...draft.contactFields, [id]: value } })}
    />
  ))
}

function AssignFields({ draft, faultOf, onChange }: ActionFieldsProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { data: members } = useQuery(membersQuery(slug))
  const { data: teams } = useQuery(teamsQuery(slug))
  return (
    <>
      <Choice
        label={t('incoming.member')}
        none={t('incoming.nobody')}
        value={draft.memberId}
        fault={faultOf('memberId')}
        choices={(members?.items ?? []).map(({ userId, name }) => ({ id: userId, label: name }))}
        onChange={memberId => onChange({ memberId })}
      />
      <Choice
        label={t('incoming.team')}
        none={t('incoming.nobody')}
        value={draft.teamId}
        fault={faultOf('teamId')}
        choices={(teams?.items ?? []).map(({ id, name }) => ({ id, label: name }))}
        onChange={teamId => onChange({ teamId })}
      />
    </>
  )
}

/** The other fields of the chosen action. */
export function ActionFields(props: ActionFieldsProps) {
  const { t } = useTranslation('integrations')
  const { draft, fields, faultOf, onChange } = props
  switch (draft.kind) {
    case 'template':
      return <TemplateFields {...props} />
    case 'flow':
      return <FlowFields {...props} />
    case 'tag':
      return <TagField {...props} />
    case 'assign':
      return <AssignFields {...props} />
    case 'note':
      return (
        <MappedField
          isLong
          label={t('incoming.text')}
          fields={fields}
          value={draft.text}
          fault={faultOf('text')}
          onChange={text => onChange({ text })}
        />
      )
    case 'contact':
      return <ContactFields {...props} />
  }
}
