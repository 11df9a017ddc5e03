import { useQuery } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { queryFor } from '#client/app/queries.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field, Labelled } from '#client/ui/controls/field.tsx'
import type { ChatImport, DateOrder, ImportFound } from '#shared/imports/api.ts'
import { daysOf } from './days.ts'
import { Sample } from './sample.tsx'

/** Counts of what was found in the file. */
function Found({ found, refused }: { readonly found: ImportFound; readonly refused: number }) {
  const { t } = useTranslation('imports')
  const { language } = useFacts()
  return (
    <ul className="import-report">
      <li>{t('found.messages', { count: found.messages })}</li>
      <li>{daysOf(t, found, language)}</li>
      <li>{t('found.files', { count: found.files })}</li>
      {found.missingFiles ? <li>{t('found.missing', { count: found.missingFiles })}</li> : null}
      {refused > found.missingFiles ? <li>{t('found.lines', { count: refused - found.missingFiles })}</li> : null}
    </ul>
  )
}

/** Asks who of the two names is the organization and whose number the chat is with, and starts the import. */
export function MappingForm({ one, onChanged }: { readonly one: ChatImport; onChanged(): void }) {
  const { t } = useTranslation('imports')
  const { slug } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const waba = useQuery(queryFor(slug, 'numbers.getWaba', {}))
  const numbers = (waba.data?.numbers ?? []).filter(({ phone }) => phone)
  const [ours, setOurs] = useState(one.mapping.ours ?? '')
  const [number, setNumber] = useState(one.mapping.number ? `+${one.mapping.number}` : '')
  const [phone, setPhone] = useState(one.mapping.phone ?? '')
  const [dateOrder, setDateOrder] = useState<DateOrder | undefined>(one.mapping.dateOrder)
  const [fault, setFault] = useState<string>()
  const [isWorking, work] = useTransition()
  const { found } = one
  if (!found) return null
  const params = { id: one.id }
  const start = () => {
    if (!ours) return setFault(t('map.oursMissing'))
    if (!number.trim()) return setFault(t('map.numberMissing'))
    work(async () => {
      setFault(undefined)
      try {
        const body = { ours, number, ...(phone ? { phone } : {}), ...(dateOrder ? { dateOrder } : {}) }
        await api.imports.map({ params, body })
        await api.imports.start({ params })
        onChanged()
      } catch (error) {
        setFault(failureText(error))
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
      <Found found={found} refused={one.refused} />
      <Sample
        zone="UTC"
        messages={(found.sample ?? []).map(message => ({ ...message, isOurs: message.name === ours }))}
      />
      <div className="import-map">
        <Labelled label={t('map.ours')}>
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
          type="tel"
          autoComplete="off"
          value={number}
          maxLength={60}
          onChange={({ target }) => setNumber(target.value)}
        />
        {numbers.length > 1 ? (
          <Labelled label={t('map.phone')}>
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
      {fault ? <Fault>{fault}</Fault> : null}
      <p className="import-who">{t('quiet')}</p>
      <div className="card-buttons">
        <button type="submit" className="button button-primary" aria-disabled={isWorking}>
          {t('act.start', { count: found.messages })}
        </button>
      </div>
    </form>
  )
}
