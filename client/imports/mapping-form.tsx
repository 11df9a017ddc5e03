import { useQuery } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field, Labelled } from '#client/ui/controls/field.tsx'
import { showFirstFault } from '#client/ui/controls/first-fault.ts'
import type { DateOrder } from '#shared/imports/states.ts'
import type { FormProps } from './form-props.ts'
import { Found } from './found.tsx'
import { LeftOut } from './left-out.tsx'
import { Sample } from './sample.tsx'

type Faults = { readonly [K in 'ours' | 'number' | 'phone']?: string }

/** Asks who of the two names is the organization and whose number the chat is with, and starts the import. */
export function MappingForm({ one, discard, onChanged }: FormProps) {
  const { t } = useTranslation('imports')
  const { language } = useFacts()
  const { slug } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const waba = useQuery(wabaQuery(slug))
  const numbers = (waba.data?.numbers ?? []).filter(({ phone }) => phone)
  const [ours, setOurs] = useState(one.mapping.ours ?? '')
  const [number, setNumber] = useState(one.mapping.number ? `+${one.mapping.number}` : '')
  const [phone, setPhone] = useState(one.mapping.phone ?? '')
  const [dateOrder, setDateOrder] = useState<DateOrder | undefined>(one.mapping.dateOrder)
  const [fault, setFault] = useState<string>()
  const [faults, setFaults] = useState<Faults>({})
  const [isWorking, work] = useTransition()
  const { found } = one
  if (!found) return null
  const params = { id: one.id }
  const start = () => {
    const missing: Faults = {
      ...(ours ? {} : { ours: t('map.oursMissing') }),
      ...(number.trim() ? {} : { number: t('map.numberMissing') }),
      ...(numbers.length > 1 && !phone ? { phone: t('map.phoneMissing') } : {}),
    }
    setFaults(missing)
    setFault(undefined)
    if (Object.keys(missing).length) return showFirstFault()
    work(async () => {
      try {
        const body = { ours, number, ...(phone ? { phone } : {}), ...(dateOrder ? { dateOrder } : {}) }
        await api.imports.map({ params, body })
        await api.imports.start({ params })
        onChanged()
      } catch (error) {
        const about = fieldFault(error, 'body.number')
        if (about === undefined) return setFault(failureText(error))
        setFaults({ number: about })
        showFirstFault()
      }
    })
  }
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (!isWorking) start()
      }}
    >
      <Found found={found} />
      <div className="import-review">
        <div className="import-asked">
          <div className="import-map">
            <Labelled label={t('map.ours')} fault={faults.ours}>
              {control => (
                <select {...control} value={ours} onChange={({ target }) => setOurs(target.value)}>
                  <option value="">{t('map.choose')}</option>
                  {found.names.map(({ name, messages }) => (
                    <option key={name} value={name} dir="auto">
                      {t('map.name', { name, count: messages })}
                    </option>
                  ))}
                </select>
              )}
            </Labelled>
            <Field
              label={t('map.number')}
              hint={t('map.numberHint')}
              fault={faults.number}
              type="tel"
              autoComplete="off"
              value={number}
              maxLength={60}
              onChange={({ target }) => setNumber(target.value)}
            />
            {numbers.length > 1 ? (
              <Labelled label={t('map.phone')} fault={faults.phone}>
                {control => (
                  <select {...control} value={phone} onChange={({ target }) => setPhone(target.value)}>
                    <option value="">{t('map.choose')}</option>
                    {numbers.map(own => (
                      <option key={own.id} value={own.phone ?? ''} dir="auto">
                        {nameOfNumber(numbers, own.phone ?? '')}
                      </option>
                    ))}
                  </select>
                )}
              </Labelled>
            ) : null}
            {found.isDateSure ? null : (
              <Labelled label={t('map.dates')} hint={t('map.datesHint')}>
                {control => (
                  <select
                    {...control}
                    value={dateOrder ?? found.dateOrder}
                    onChange={({ target }) => setDateOrder(target.value as DateOrder)}
                  >
                    {(['dmy', 'mdy'] as const).map(order => (
                      <option key={order} value={order}>
                        {t(`map.order.${order}`)}
                      </option>
                    ))}
                  </select>
                )}
              </Labelled>
            )}
          </div>
          <LeftOut one={one} />
        </div>
        <Sample
          zone="UTC"
          messages={(found.sample ?? []).map(message => ({ ...message, isOurs: message.name === ours }))}
        />
      </div>
      {fault ? <Fault>{fault}</Fault> : null}
      <p className="import-who">{t('quiet')}</p>
      <div className="card-buttons">
        <button type="submit" className="button button-primary" aria-disabled={isWorking}>
          {t('act.start', { count: found.messages, n: new Intl.NumberFormat(language).format(found.messages) })}
        </button>
        {discard}
      </div>
    </form>
  )
}
