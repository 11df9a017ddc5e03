import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import type { EndpointReply } from '#client/app/queries/queries.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'
import { variablesInCall } from '#shared/flows/http/http.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { whyText } from '../runs/run-words.ts'
import { outputLabel } from '../words.ts'

interface CallDialogProps {
  readonly node: NodeOf<'http'>
  flush(): Promise<boolean>
  onMock(mock: NodeOf<'http'>['mock']): void
  onClose(): void
}

/** Makes a step's service call once, for real, with test values. */
export default function CallDialog({ node, flush, onMock, onClose }: CallDialogProps) {
  const { t } = useTranslation('flows')
  const { idFlow = '' } = useParams()
  const api = useApi()
  const failureText = useFailureText()
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({})
  const [answer, setAnswer] = useState<EndpointReply<'flows.call'>>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useWork()
  const submit = () =>
    work(async () => {
      setFailure(undefined)
      setAnswer(undefined)
      try {
        if (!(await flush())) return setFailure(t('save.first'))
        setAnswer(await api.flows.call({ params: { id: idFlow }, body: { nodeId: node.id, variables } }))
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const { status = null, ms = 0 } = answer?.call ?? {}
  return (
    <Modal title={t('http.call')} width={560} onClose={onClose}>
      <DialogForm confirm={t('http.call')} isWorking={isWorking} onSubmit={submit} onCancel={onClose}>
        <p className="field-hint">{t('http.callHint')}</p>
        {variablesInCall(node).map(name => (
          <Field
            key={name}
            label={t('http.with', { name })}
            autoComplete="off"
            maxLength={1024}
            value={Object.hasOwn(variables, name) ? variables[name] : ''}
            onChange={({ target }) => setVariables({ ...variables, [name]: target.value })}
          />
        ))}
        {failure ? <Fault>{failure}</Fault> : null}
        {isWorking ? <p role="status">{t('http.calling')}</p> : null}
        {answer ? (
          <div className="flow-call" role="status">
            <p>
              <b>
                {status === null ? '' : `${status} · `}
                {t('http.went', { why: whyText(t, answer.why), ms })}
              </b>
            </p>
            <p>{t('http.goesOn', { output: outputLabel(t, node, answer.output) })}</p>
            {Object.entries(answer.values).map(([name, value]) => (
              <p key={name}>{t('http.saves', { name, value: value || t('play.empty') })}</p>
            ))}
            {answer.text ? <pre>{answer.text}</pre> : null}
          </div>
        ) : null}
        {answer && status !== null && answer.text !== null ? (
          <button
            type="button"
            className="button"
            onClick={() => {
              onMock({ status, body: (answer.text ?? '').slice(0, flowLimits.text) })
              onClose()
            }}
          >
            {t('http.useAsMock')}
          </button>
        ) : null}
      </DialogForm>
    </Modal>
  )
}
