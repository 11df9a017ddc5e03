import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import type { EndpointInput, EndpointReply } from '#client/app/queries/queries.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { Flow } from '#shared/flows/api.ts'
import { readTriggers } from '#shared/flows/exchange.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import { triggerText } from '../words.ts'
import { type TriedCustomer, TryCustomer, unknownCustomer } from './try-customer.tsx'
import './try.css'

interface TryDialogProps {
  readonly flow: Flow
  readonly names: FlowNames
  flush(): Promise<boolean>
  onClose(): void
}

const asked = (text: string, flowId: string, customer: TriedCustomer): EndpointInput<'flows.match'>['body'] => {
  const { attendedBy, hours, silentHours, tappedId, tagIds, isFirst, isFromAd, isAnswer, wasHere } = customer
  return {
    text,
    isFirst,
    tagIds: [...tagIds],
    draftId: flowId,
    ...(isFromAd ? { ad: {} } : {}),
    ...(isAnswer ? { answers: {} } : {}),
    ...(wasHere ? { flowsBefore: [flowId] } : {}),
    ...(attendedBy === 'nobody' ? {} : { attendedBy }),
    ...(hours === 'now' ? {} : { isOpen: hours === 'inside' }),
    ...(silentHours.trim() ? { silentHours: Math.max(0, Number(silentHours) || 0) } : {}),
    ...(tappedId.trim() ? { tappedId: tappedId.trim() } : {}),
  }
}

/** Shows who would answer a message now, with the current draft, and why no other flow starts. */
export default function TryDialog({ flow, names, flush, onClose }: TryDialogProps) {
  const { t } = useTranslation('flows')
  const api = useApi()
  const failureText = useFailureText()
  const [text, setText] = useState('')
  const [customer, setCustomer] = useState(unknownCustomer)
  const [answer, setAnswer] = useState<EndpointReply<'flows.match'>>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useWork()
  const submit = () =>
    work(async () => {
      setFailure(undefined)
      setAnswer(undefined)
      if (!text.trim()) return setFailure(t('try.missing'))
      try {
        if (!(await flush())) return setFailure(t('save.first'))
        setAnswer(await api.flows.match({ body: asked(text, flow.id, customer) }))
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const nameOf = (id: string) => (id === flow.id ? flow.name : (names.flows.get(id) ?? '…'))
  const textOf = (trigger: Flow['triggers'][number]) => {
    const [read] = readTriggers([trigger])
    return read ? triggerText(t, read, names) : '…'
  }
  return (
    <Modal title={t('try.title')} width={560} onClose={onClose}>
      <DialogForm confirm={t('try.confirm')} isWorking={isWorking} onSubmit={submit} onCancel={onClose}>
        <p className="field-hint">{t('try.hint')}</p>
        <Field
          label={t('try.message')}
          autoComplete="off"
          maxLength={1000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <TryCustomer customer={customer} tags={names.tags} onChange={setCustomer} />
        {failure ? <Fault>{failure}</Fault> : null}
        {answer ? (
          <div className="flow-match" role="status">
            <p>
              <b>
                {answer.chosen
                  ? t('try.starts', { name: nameOf(answer.chosen.flowId) })
                  : t(`try.by.${answer.by as Exclude<typeof answer.by, 'flow'>}`)}
              </b>
            </p>
            {answer.chosen ? <p>{textOf(answer.chosen.trigger)}</p> : null}
            {answer.others.length ? (
              <ul>
                {answer.others.map(({ flowId, triggerId, trigger, why }) => (
                  <li key={`${flowId} ${triggerId}`}>
                    <b>{nameOf(flowId)}</b> · {textOf(trigger)}:{' '}
                    {t(why === 'later' && answer.by !== 'flow' ? 'try.why.first' : `try.why.${why}`)}
                  </li>
                ))}
                {answer.moreOthers ? <li>{t('try.more', { count: answer.moreOthers })}</li> : null}
              </ul>
            ) : null}
          </div>
        ) : null}
      </DialogForm>
    </Modal>
  )
}
