import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { QrCode } from '#client/ui/pictures/qr-code.tsx'
import type { Flow } from '#shared/flows/api.ts'
import type { FlowTest } from '#shared/flows/testing/tests.ts'
import { paths } from '#shared/kernel/paths.ts'
import { clockTime } from '#shared/kernel/time.ts'
import { testQuery } from '../queries.ts'
import './test.css'

/** The dialog checks this often whether the test was started. */
const lookEveryMs = 1500

interface TestDialogProps {
  readonly flow: Flow
  flush(): Promise<boolean>
  onClose(): void
}

/** The code and the number to send it to, also as a link and QR code. */
function Way({ test }: { readonly test: FlowTest }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const { text, numbers, endsAt } = test
  const real = numbers.find(({ isSimulated }) => !isSimulated)
  const address = real && `https://wa.me/${real.phone}?text=${encodeURIComponent(text)}`
  return (
    <>
      <p>{t('test.write', { count: numbers.length })}</p>
      <p className="flow-test-numbers">{numbers.map(({ phone, displayPhone }) => displayPhone || phone).join(' · ')}</p>
      <p className="flow-test-word line box">
        <code>{text}</code>
        <CopyButton value={text} label={t('test.copy')} done={t('test.copied')} failed={t('test.copyFailed')} />
      </p>
      {address ? (
        <>
          <QrCode text={address} label={t('test.qr')} />
          <a className="button" href={address} target="_blank" rel="noreferrer">
            {t('test.whatsApp')}
          </a>
        </>
      ) : (
        <Link className="button" to={paths.simulator(slug)}>
          {t('test.simulator')}
        </Link>
      )}
      <p className="field-hint">{t('test.until', { time: clockTime(endsAt, timeZone) })}</p>
    </>
  )
}

function Begun({ flowId, test }: { readonly flowId: string; readonly test: FlowTest }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const [last] = test.sessions
  return (
    <p className="flow-test-state" role="status">
      {last ? (
        <>
          {t(last.isOver ? 'test.over' : 'test.running', { name: last.name })}{' '}
          <Link to={paths.flowRun(slug, flowId, last.id)}>{t('test.see')}</Link>
        </>
      ) : (
        t('test.waiting')
      )}
    </p>
  )
}

/** Tests the draft on its author's own phone. */
export default function TestDialog({ flow, flush, onClose }: TestDialogProps) {
  const { t } = useTranslation('flows')
  const { t: common } = useTranslation()
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const query = testQuery(slug, flow.id)
  const { data } = useQuery({
    ...query,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.test ? lookEveryMs : false),
  })
  const test = data?.test
  const attempt = (run: () => Promise<unknown>) =>
    work(async () => {
      setFailure(undefined)
      try {
        await run()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const params = { id: flow.id }
  const begin = () =>
    attempt(async () => {
      if (!(await flush())) return setFailure(t('save.first'))
      const begun = await api.flowTests.begin({ params })
      client.setQueryData(query.queryKey, { test: begun })
    })
  const stop = () =>
    attempt(async () => {
      await api.flowTests.stop({ params })
      client.setQueryData(query.queryKey, { test: null })
    })
  return (
    <Modal title={t('test.title')} width={520} onClose={onClose}>
      <div className="flow-test stack-l">
        <p className="field-hint">{t('test.hint')}</p>
        {test ? (
          <>
            <Way test={test} />
            <Begun flowId={flow.id} test={test} />
          </>
        ) : null}
        {failure ? <Fault>{failure}</Fault> : null}
      </div>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {common('close')}
        </button>
        {test ? (
          <button type="button" className="button" aria-disabled={isWorking} onClick={() => isWorking || stop()}>
            {t('test.stop')}
          </button>
        ) : null}
        <button
          type="button"
          className="button button-primary"
          aria-disabled={isWorking}
          onClick={() => isWorking || begin()}
        >
          {t(test ? 'test.again' : 'test.start')}
        </button>
      </div>
    </Modal>
  )
}
