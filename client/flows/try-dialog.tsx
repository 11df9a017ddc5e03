import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import type { EndpointReply } from '#client/queries.ts'
import { DialogForm } from '#client/ui/dialog-form.tsx'
import { Fault, Field } from '#client/ui/field.tsx'
import { Modal } from '#client/ui/mui-dialog.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import { readTriggers } from '#shared/flow-exchange.ts'
import type { Flow, FlowSummary } from '#shared/flows.ts'
import { type FlowNames, triggerText } from './words.ts'

interface TryDialogProps {
  readonly flow: Flow
  readonly flows: readonly FlowSummary[]
  readonly names: FlowNames
  flush(): Promise<boolean>
  onClose(): void
}

/** Which flow a message would start if it came now, with this one as it is drawn, and why not the others. */
export default function TryDialog({ flow, flows, names, flush, onClose }: TryDialogProps) {
  const { t } = useTranslation('flows')
  const api = useApi()
  const failureText = useFailureText()
  const [text, setText] = useState('')
  const [isFirst, setFirst] = useState(false)
  const [isFromAd, setFromAd] = useState(false)
  const [isAnswer, setAnswering] = useState(false)
  const [answer, setAnswer] = useState<EndpointReply<'flows.match'>>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const submit = () =>
    work(async () => {
      setFailure(undefined)
      setAnswer(undefined)
      if (!text.trim()) return setFailure(t('try.missing'))
      try {
        if (!(await flush())) return setFailure(t('save.first'))
        const more = { ...(isFromAd ? { ad: {} } : {}), ...(isAnswer ? { answers: {} } : {}) }
        setAnswer(await api.flows.match({ body: { text, isFirst, ...more, draftId: flow.id } }))
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const nameOf = (id: string) => (id === flow.id ? flow.name : (flows.find(one => one.id === id)?.name ?? '…'))
  const triggerOf = (flowId: string, triggerId: string) => {
    const triggers = [flow, ...flows].find(({ id }) => id === flowId)?.triggers ?? []
    const found = readTriggers(triggers).find(({ id }) => id === triggerId)
    return found ? triggerText(t, found, names) : '…'
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
        <label className="flow-check">
          <input type="checkbox" checked={isFirst} onChange={({ target }) => setFirst(target.checked)} />
          <span>{t('try.isFirst')}</span>
        </label>
        <label className="flow-check">
          <input type="checkbox" checked={isFromAd} onChange={({ target }) => setFromAd(target.checked)} />
          <span>{t('try.fromAd')}</span>
        </label>
        <label className="flow-check">
          <input type="checkbox" checked={isAnswer} onChange={({ target }) => setAnswering(target.checked)} />
          <span>{t('try.answers')}</span>
        </label>
        {failure ? <Fault>{failure}</Fault> : null}
        {answer ? (
          <div className="flow-match" role="status">
            <p>
              <b>{answer.chosen ? t('try.starts', { name: nameOf(answer.chosen.flowId) }) : t('try.nothing')}</b>
            </p>
            {answer.chosen ? <p>{triggerOf(answer.chosen.flowId, answer.chosen.triggerId)}</p> : null}
            {answer.others.length ? (
              <ul>
                {answer.others.map(({ flowId, triggerId, why }) => (
                  <li key={`${flowId} ${triggerId}`}>
                    <b>{nameOf(flowId)}</b> · {triggerOf(flowId, triggerId)}: {t(`try.why.${why}`)}
                  </li>
                ))}
              </ul>
            ) : null}
          </div>
        ) : null}
      </DialogForm>
    </Modal>
  )
}
