import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { fieldFault, isApiError } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { useIsElsewhere } from '#client/ui/page/is-elsewhere.ts'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { digitsOf } from '#shared/kernel/phone.ts'
import { rowTime } from '#shared/kernel/time.ts'
import type { SandboxCustomer } from '#shared/simulator/phone.ts'
import { customerAt } from './address.ts'
import { suggestCustomer } from './new-customer.ts'
import { customersQuery } from './queries.ts'
import { lastLine, type SimulatorT } from './words.ts'

const Row = ({
  org,
  customer,
  isOpen,
  t,
}: {
  org: string
  customer: SandboxCustomer
  isOpen: boolean
  t: SimulatorT
}) => {
  const { i18n } = useTranslation()
  const { now, timeZone } = useMoment()
  const state = customer.blocked ? t('customers.blocked') : customer.online ? null : t('customers.offline')
  const at = customer.last?.at
  return (
    <li>
      <Link className="sim-row line" to={customerAt(org, customer.waId)} aria-current={isOpen ? 'true' : undefined}>
        <Avatar name={customer.name} of={customer.waId} />
        <span className="sim-row-text grow">
          <span className="sim-row-line small">
            <strong className="cut" dir="auto">
              {customer.name}
            </strong>
            {at ? (
              <time dateTime={at}>
                {rowTime(at, now, i18n.language as Language, timeZone) ?? t('customers.yesterday')}
              </time>
            ) : null}
          </span>
          <span className="sim-row-line small">
            <span className="cut">{lastLine(t, customer)}</span>
            {state ? <span className="sim-state">{state}</span> : null}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** The last digits of a number, which are the same in all its spellings. */
const lineDigits = 8

const NewCustomer = ({ org, taken, t, onClose }: NewCustomerProps) => {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isElsewhere = useIsElsewhere()
  const failureText = useFailureText()
  const [{ name, number }, setValues] = useState(() => suggestCustomer(taken))
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setSaving(true)
    setFailure(undefined)
    try {
      await api.sandbox.setPresence({ body: { from: number, name: name.trim() } })
      const { items } = await client.fetchQuery({ ...customersQuery(org), staleTime: 0 })
      const made = items.find(customer => customer.waId.endsWith(digitsOf(number).slice(-lineDigits)))
      onClose()
      if (made && !isElsewhere()) void navigate(customerAt(org, made.waId))
    } catch (error) {
      setFailure(error)
      if (!isApiError(error) || !error.details.length) toast(failureText(error), { kind: 'error' })
    } finally {
      setSaving(false)
    }
  }
  const [nameFault, numberFault] = [fieldFault(failure, 'body.name'), fieldFault(failure, 'body.from')]
  return (
    <form className="sim-new stack-l box" aria-label={t('add.title')} onSubmit={event => void save(event)}>
      <Field
        label={t('add.name')}
        value={name}
        maxLength={120}
        required
        autoComplete="off"
        {...(nameFault ? { fault: nameFault } : {})}
        onChange={event => setValues({ name: event.target.value, number })}
      />
      <Field
        label={t('add.number')}
        hint={t('add.numberHint')}
        value={number}
        maxLength={24}
        required
        inputMode="tel"
        autoComplete="off"
        {...(numberFault ? { fault: numberFault } : {})}
        onChange={event => setValues({ name, number: event.target.value })}
      />
      <div className="sim-buttons">
        <button type="button" className="button" onClick={onClose}>
          {t('add.cancel')}
        </button>
        <button type="submit" className="button button-primary" disabled={isSaving}>
          {t('add.save')}
        </button>
      </div>
    </form>
  )
}

interface NewCustomerProps {
  readonly org: string
  readonly taken: readonly SandboxCustomer[]
  readonly t: SimulatorT
  readonly onClose: () => void
}

/** The simulated customers, latest first, and a button for a new one. */
export function Customers({ org, open }: { org: string; open: string | undefined }) {
  const { t } = useTranslation('simulator')
  const data = useAnswer(customersQuery(org))
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      {isAdding ? (
        <NewCustomer org={org} taken={data.items} t={t} onClose={() => setAdding(false)} />
      ) : (
        <button type="button" className="button button-wide sim-add" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t('add.open')}
        </button>
      )}
      {data.items.length ? (
        <ul className="sim-rows" aria-label={t('customers.label')}>
          {data.items.map(customer => (
            <Row key={customer.waId} org={org} customer={customer} isOpen={customer.waId === open} t={t} />
          ))}
        </ul>
      ) : (
        <p className="sim-empty">{t('customers.empty')}</p>
      )}
    </>
  )
}
