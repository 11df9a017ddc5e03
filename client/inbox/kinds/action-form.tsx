import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { webhookNamesQuery } from '#client/outgoing-webhooks/queries.ts'
import { flowNamesQuery, teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { actionLimits, actionMessageType } from '#shared/inbox/message-actions.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import type { KindFormProps } from './composed.ts'

const offered = ['confirm', 'add_tag', 'start_flow', 'handoff', 'webhook', 'open_url'] as const
type Offered = (typeof offered)[number]
const keyOf = {
  confirm: 'key',
  add_tag: 'tagId',
  start_flow: 'flowId',
  handoff: 'teamId',
  webhook: 'name',
  open_url: 'url',
} as const
const written: readonly Offered[] = ['confirm', 'open_url']

/** The choices of an action that names an existing tag, flow or team. */
const useThings = (action: Offered) => {
  const { slug } = useOrg()
  const tags = useQuery({ ...tagsQuery(slug), enabled: action === 'add_tag' }).data?.items
  const flows = useQuery({ ...flowNamesQuery(slug), enabled: action === 'start_flow' }).data?.items
  const teams = useQuery({ ...teamsQuery(slug), enabled: action === 'handoff' }).data?.items
  const names = useQuery({ ...webhookNamesQuery(slug), enabled: action === 'webhook' }).data?.items
  if (action === 'webhook') return names?.map(name => ({ id: name, name }))
  if (action === 'add_tag') return tags?.map(({ id, label }) => ({ id, name: label }))
  if (action === 'start_flow') return flows?.filter(({ state }) => state === 'live')
  return action === 'handoff' ? teams : undefined
}

/** A message with one button, and the action that its first tap runs. */
export function ActionForm({ text, isWorking, failure, onSend, onCancel }: KindFormProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const [message, setMessage] = useState(text)
  const [label, setLabel] = useState('')
  const [action, setAction] = useState<Offered>('confirm')
  const [value, setValue] = useState('')
  const [fault, setFault] = useState<{ of: 'message' | 'label' | 'data'; says: string }>()
  const things = useThings(action)
  const isWritten = written.includes(action)
  const put = (set: (value: string) => void) => (value: string) => {
    set(value)
    setFault(undefined)
  }
  const submit = () => {
    const given = value.trim()
    if (!message.trim()) return setFault({ of: 'message', says: t('kinds.messageMissing') })
    if (!label.trim()) return setFault({ of: 'label', says: t('kinds.tap.labelMissing') })
    const isUrl = /^https:\/\/\S+$/.test(given) && URL.canParse(given)
    if (action !== 'handoff' && (!given || (action === 'open_url' && !isUrl)))
      return setFault({ of: 'data', says: t(`kinds.tap.missing.${action}`) })
    onSend({
      type: actionMessageType,
      message: message.trim(),
      labelRecado: label.trim(),
      action,
      data: given ? { [keyOf[action]]: given } : {},
    })
  }
  const dataFault = fault?.of === 'data' ? fault.says : undefined
  return (
    <DialogForm confirm={t('composer.send')} isWorking={isWorking} onSubmit={submit} onCancel={onCancel}>
      <div className="field">
        <label htmlFor={id}>{t('kinds.message')}</label>
        <textarea
          dir="auto"
          id={id}
          rows={3}
          maxLength={outboundLimits.interactiveBody}
          value={message}
          aria-invalid={fault?.of === 'message'}
          onChange={({ target }) => put(setMessage)(target.value)}
        />
        {fault?.of === 'message' ? <Fault>{fault.says}</Fault> : null}
      </div>
      <Field
        label={t('kinds.tap.label')}
        maxLength={actionLimits.label}
        value={label}
        {...(fault?.of === 'label' ? { fault: fault.says } : {})}
        onChange={({ target }) => put(setLabel)(target.value)}
      />
      <div className="field">
        <label htmlFor={`${id}-what`}>{t('kinds.tap.what')}</label>
        <select
          id={`${id}-what`}
          value={action}
          onChange={({ target }) => {
            setAction(target.value as Offered)
            put(setValue)('')
          }}
        >
          {offered.map(one => (
            <option key={one} value={one}>
              {t(`kinds.tap.name.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {isWritten ? (
        <Field
          label={t(`kinds.tap.data.${action}`)}
          hint={t(action === 'open_url' ? 'kinds.tap.hint.open_url' : 'kinds.tap.hint.confirm')}
          type={action === 'open_url' ? 'url' : 'text'}
          autoComplete="off"
          maxLength={action === 'open_url' ? actionLimits.url : actionLimits.key}
          value={value}
          {...(dataFault === undefined ? {} : { fault: dataFault })}
          onChange={({ target }) => put(setValue)(target.value)}
        />
      ) : (
        <div className="field">
          <label htmlFor={`${id}-data`}>{t(`kinds.tap.data.${action}`)}</label>
          <select
            id={`${id}-data`}
            value={value}
            aria-invalid={dataFault !== undefined}
            onChange={({ target }) => put(setValue)(target.value)}
          >
            <option value="">{t(action === 'handoff' ? 'kinds.tap.anyTeam' : 'kinds.tap.choose')}</option>
            {things?.map(one => (
              <option key={one.id} value={one.id} dir="auto">
                {one.name}
              </option>
            ))}
          </select>
          {dataFault ? <Fault>{dataFault}</Fault> : null}
          {action === 'webhook' && things?.length === 0 ? (
            <div className="field-hint">{t('kinds.tap.noWebhooks')}</div>
          ) : null}
          {action === 'start_flow' && things?.length === 0 ? (
            <div className="field-hint">{t('kinds.tap.noFlows')}</div>
          ) : null}
        </div>
      )}
      <p className="field-hint">{t(action === 'open_url' ? 'kinds.tap.urlOpens' : 'kinds.tap.once')}</p>
      {failure ? <Fault>{failure}</Fault> : null}
    </DialogForm>
  )
}
