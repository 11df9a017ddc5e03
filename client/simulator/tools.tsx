import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { ReplyOf } from '#shared/kernel/contract.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { sandboxApi } from '#shared/simulator/api.ts'
import { customersQuery, emptyingKey, refreshPhones, stateQuery, untilUnseen } from './queries.ts'
import { faultCodes, faultName, type SimulatorT } from './words.ts'

const hourMs = 3_600_000
const jumps = [1, 23, 24] as const

/** Runs one change of the simulator. A refusal is shown as a toast. */
const useRun = (org: string) => {
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isRunning, setRunning] = useState(false)
  const run = async (work: () => Promise<unknown>, done?: () => void) => {
    setRunning(true)
    try {
      await work()
      await Promise.all([refreshPhones(client, org), client.invalidateQueries({ queryKey: stateQuery(org).queryKey })])
      done?.()
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    } finally {
      setRunning(false)
    }
  }
  return { run, isRunning }
}

const Clock = ({ org, t }: { org: string; t: SimulatorT }) => {
  const api = useApi()
  const { run, isRunning } = useRun(org)
  return (
    <section>
      <h2>{t('clock.title')}</h2>
      <p>{t('clock.text')}</p>
      <div className="sim-buttons">
        {jumps.map(count => (
          <button
            key={count}
            type="button"
            className="button"
            disabled={isRunning}
            onClick={() =>
              void run(
                () => api.sandbox.moveClock({ body: { advanceMs: count * hourMs } }),
                () => toast(t('clock.moved', { count }), { kind: 'success' }),
              )
            }
          >
            {t('clock.hours', { count })}
          </button>
        ))}
      </div>
    </section>
  )
}

const Faults = ({ org, t }: { org: string; t: SimulatorT }) => {
  const api = useApi()
  const id = useId()
  const data = useAnswer(stateQuery(org))
  const { run, isRunning } = useRun(org)
  const [code, setCode] = useState('131026')
  return (
    <section>
      <h2>{t('fault.title')}</h2>
      <p>{t('fault.text')}</p>
      <div className="field">
        <label htmlFor={id}>{t('fault.label')}</label>
        <select id={id} value={code} onChange={event => setCode(event.target.value)}>
          {faultCodes.map(one => (
            <option key={one} value={one} dir="auto">
              {faultName(t, one)}
              {/^\d+$/.test(one) ? ` (${one})` : ''}
            </option>
          ))}
        </select>
      </div>
      <div className="sim-buttons">
        <button
          type="button"
          className="button"
          disabled={isRunning}
          onClick={() => void run(() => api.sandbox.arm({ body: { code, count: 1 } }))}
        >
          {t('fault.arm')}
        </button>
      </div>
      <ul aria-live="polite">
        {data.armed.map(({ code: armed, remaining }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is what tells them apart
          <li key={i} className="notice notice-warn">
            {t('fault.armed', { count: remaining, fault: faultName(t, armed) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

const Reset = ({ org, t }: { org: string; t: SimulatorT }) => {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { run, isRunning } = useRun(org)
  const [isAsking, setAsking] = useState(false)
  const { queryKey } = customersQuery(org)
  const { mutateAsync: reset } = useMutation({
    mutationKey: emptyingKey(org),
    // First closes the phone, which will not exist afterwards, and waits until its queries are unused.
    async onMutate() {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, { items: [] })
      const threads = { queryKey: keyFor(org, 'sandbox.getThread') }
      await untilUnseen(client, threads.queryKey)
      await client.cancelQueries(threads)
      return { before }
    },
    mutationFn: () => api.sandbox.reset({}),
    onError: (_error, _nothing, kept) => void client.setQueryData(queryKey, kept?.before),
  })
  const empty = async () => {
    setAsking(false)
    await run(
      () => reset(),
      () => {
        client.removeQueries({ queryKey: keyFor(org, 'sandbox.getThread') })
        void navigate(paths.simulator(org), { replace: true })
        toast(t('reset.done'), { kind: 'success' })
      },
    )
  }
  return (
    <section>
      <h2>{t('reset.title')}</h2>
      <p>{t('reset.text')}</p>
      <div className="sim-buttons">
        {isAsking ? (
          <>
            <button type="button" className="button" onClick={() => setAsking(false)}>
              {t('reset.cancel')}
            </button>
            <button type="button" className="button sim-danger" disabled={isRunning} onClick={() => void empty()}>
              {t('reset.sure')}
            </button>
          </>
        ) : (
          <button type="button" className="button" onClick={() => setAsking(true)}>
            {t('reset.ask')}
          </button>
        )}
      </div>
    </section>
  )
}

/** Addresses and secrets for programs tested with the simulator. Only members who manage the connection see them. */
const Programs = ({ t }: { t: SimulatorT }) => {
  const api = useApi()
  const failureText = useFailureText()
  const { t: common } = useTranslation()
  const [shown, setShown] = useState<ReplyOf<typeof sandboxApi.getToken>>()
  const show = async () => {
    try {
      setShown(await api.sandbox.getToken({}))
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
  }
  const lines = shown
    ? ([
        ['graphUrl', shown.graphUrl],
        ['token', shown.token],
        ['phoneNumberId', shown.phoneNumberId],
        ['wabaId', shown.wabaId],
      ] as const)
    : []
  return (
    <section>
      <h2>{t('programs.title')}</h2>
      <p>{t('programs.text')}</p>
      {shown ? (
        <dl className="copy-lines">
          {lines.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`programs.${name}`)}</dt>
              <dd>
                <code>{value}</code>
                <CopyButton
                  value={value}
                  label={common('webhook.copy', { what: t(`programs.${name}`) })}
                  done={common('webhook.copied')}
                  failed={common('webhook.copyFailed')}
                />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <div className="sim-buttons">
          <button type="button" className="button" onClick={() => void show()}>
            {t('programs.show')}
          </button>
        </div>
      )}
    </section>
  )
}

/** Tools for the whole simulator: clock, failures, programs, reset. */
export function Tools({ org }: { org: string }) {
  const { t } = useTranslation('simulator')
  const { role } = useOrg()
  return (
    <>
      <Clock org={org} t={t} />
      <Faults org={org} t={t} />
      {roleCan(effectiveRole(role), 'connection:manage') ? <Programs t={t} /> : null}
      <Reset org={org} t={t} />
    </>
  )
}
