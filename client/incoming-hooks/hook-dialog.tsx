import { useMemo, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Fault, Field, Labelled } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type HookActionKind, hookActions, type IncomingHook, incomingLimits } from '#shared/incoming-hooks/api.ts'
import { ActionFields } from './action-fields.tsx'
import { actionOf, type HookDraft, hookDraft } from './draft.ts'
import { MappedField } from './mapped-field.tsx'
import { NewAddress } from './new-address.tsx'
import { guessNumber, listFields, readSample } from './sample.ts'
import { type Tried, TriedOut } from './tried-out.tsx'

interface HookDialogProps {
  /** Undefined: a new one. */
  readonly hook: IncomingHook | undefined
  onSaved(): Promise<unknown>
  onClose(): void
}

/** The number of fields of a sample that are offered. */
const fieldsOffered = 200

/** An incoming webhook: an example of the program's request, the action that it starts, and a trial. */
export default function HookDialog({ hook, onSaved, onClose }: HookDialogProps) {
  const { t } = useTranslation('integrations')
  const api = useApi()
  const failureText = useFailureText()
  const [draft, setDraft] = useState(() => hookDraft(hook))
  const [made, setMade] = useState<string>()
  const [tried, setTried] = useState<Tried>()
  const [error, setError] = useState<unknown>()
  const [isWorking, work] = useTransition()
  const json = useMemo(() => readSample(draft.sample), [draft.sample])
  const fields = useMemo(() => listFields(json, fieldsOffered), [json])
  const change = (part: Partial<HookDraft>) => {
    setTried(undefined)
    setDraft(before => ({ ...before, ...part }))
  }
  const paste = (sample: string) => {
    const guess = draft.number ? undefined : guessNumber(listFields(readSample(sample), fieldsOffered))
    change({ sample, ...(guess === undefined ? {} : { number: `{{${guess}}}` }) })
  }
  const attempt = (what: () => Promise<unknown>) =>
    work(async () => {
      setError(undefined)
      try {
        await what()
      } catch (refusal) {
        setError(refusal)
      }
    })
  const action = () => actionOf(draft, hook?.action)
  const save = () =>
    attempt(async () => {
      const body = { name: draft.name, action: action(), sample: draft.sample }
      if (!hook) {
        const { url } = await api.incomingHooks.createHook({ body })
        await onSaved()
        return setMade(url)
      }
      await api.incomingHooks.changeHook({ params: { id: hook.id }, body })
      await onSaved()
      toast(t('incoming.saved'), { kind: 'success' })
      onClose()
    })
  const test = () =>
    attempt(async () => {
      setTried(await api.incomingHooks.testHook({ body: { action: action(), sample: draft.sample } }))
    })
  if (made)
    return (
      <Modal title={t('incoming.added', { name: draft.name })} width={560} onClose={onClose}>
        <NewAddress url={made} sample={draft.sample} onClose={onClose} />
      </Modal>
    )
  const ofAction = (field: string) => fieldFault(error, `body.action.${field}`)
  const faults = { name: fieldFault(error, 'body.name'), number: ofAction('number'), contact: ofAction('name') }
  const isElsewhere = error !== undefined && !Object.values(faults).some(Boolean)
  return (
    <Modal
      title={hook ? t('incoming.changeTitle', { name: hook.name }) : t('incoming.add')}
      width={680}
      onClose={onClose}
    >
      <DialogForm confirm={t('incoming.save')} isWorking={isWorking} onSubmit={save} onCancel={onClose}>
        <Field
          label={t('incoming.name')}
          autoComplete="off"
          maxLength={incomingLimits.name}
          value={draft.name}
          fault={faults.name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Labelled label={t('incoming.sample')} hint={t('incoming.sampleHint')}>
          {control => (
            <textarea
              {...control}
              dir="ltr"
              className="hook-sample"
              rows={5}
              spellCheck={false}
              maxLength={incomingLimits.keptBytes}
              placeholder={'{ "customer": { "phone": "+54 9 11 5555-0100" } }'}
              value={draft.sample}
              onChange={({ target }) => paste(target.value)}
            />
          )}
        </Labelled>
        {draft.sample.trim() && json === undefined ? <p className="field-hint">{t('incoming.notJson')}</p> : null}
        <Labelled label={t('incoming.does')}>
          {control => (
            <select
              {...control}
              value={draft.kind}
              onChange={({ target }) => change({ kind: target.value as HookActionKind })}
            >
              {hookActions.map(kind => (
                <option key={kind} value={kind}>
                  {t(`incoming.kind.${kind}`)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <MappedField
          label={t('incoming.number')}
          hint={t('incoming.numberHint')}
          fields={fields}
          value={draft.number}
          fault={faults.number}
          onChange={number => change({ number })}
        />
        <MappedField
          label={t(draft.kind === 'contact' ? 'incoming.contactName' : 'incoming.newName')}
          fields={fields}
          value={draft.contactName}
          fault={faults.contact}
          onChange={contactName => change({ contactName })}
        />
        <ActionFields draft={draft} fields={fields} faultOf={ofAction} onChange={change} />
        <div>
          <button
            type="button"
            className="button"
            aria-disabled={isWorking || json === undefined}
            onClick={() => isWorking || json === undefined || test()}
          >
            {t('incoming.test')}
          </button>
        </div>
        {tried ? <TriedOut tried={tried} /> : null}
        {isElsewhere ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
