import { useEffect, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { faultBeside } from './fault-beside.ts'

const everyMs = 1500
const waitsMs = 45_000

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

type Ending =
  | { readonly word: 'heard' | 'unheard' }
  /** A webhook says that it was not delivered. */
  | { readonly word: 'undelivered'; readonly code: string }

/** Sends a short text to a phone at hand and waits for Meta's webhook. */
export function RoundTrip({ id }: { id: string | undefined }) {
  const { t } = useTranslation('integrations')
  const api = useApi()
  const failureText = useFailureText()
  const [to, setTo] = useState('')
  const [error, setError] = useState<unknown>()
  const [ending, setEnding] = useState<Ending>()
  const [isWaiting, wait] = useTransition()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const begin = () =>
    wait(async () => {
      setError(undefined)
      setEnding(undefined)
      try {
        const query = id === undefined ? {} : { id }
        const { wamid } = await api.numberStanding.beginRoundTrip({ query, body: { to: to.trim() } })
        for (let waited = 0; waited < waitsMs && isHere.current; waited += everyMs) {
          await pause(everyMs)
          const { heard } = await api.numberStanding.endRoundTrip({ query: { wamid } })
          if (heard)
            return setEnding(heard.code === null ? { word: 'heard' } : { word: 'undelivered', code: heard.code })
        }
        setEnding({ word: 'unheard' })
      } catch (refused) {
        setError(refused)
      }
    })
  const fault = faultBeside(error, 'to')
  return (
    <section className="card" aria-labelledby="round-trip">
      <div className="card-head">
        <div>
          <h2 id="round-trip">{t('roundTrip.title')}</h2>
          <p className="connection-why">{t('roundTrip.text')}</p>
        </div>
      </div>
      <form className="stack" noValidate action={() => void (isWaiting || begin())}>
        <Field
          label={t('roundTrip.to')}
          hint={t('add.phoneHint')}
          type="tel"
          autoComplete="tel"
          maxLength={30}
          value={to}
          fault={fault}
          onChange={({ target }) => setTo(target.value)}
        />
        {error && !fault ? <Fault>{failureText(error)}</Fault> : null}
        <div role="status">
          {ending ? (
            <p className={ending.word === 'unheard' ? 'notice notice-warn' : 'notice notice-good'}>
              <Icon name={ending.word === 'unheard' ? 'warn' : 'tick'} />
              <span>
                {ending.word === 'undelivered'
                  ? t('roundTrip.undelivered', { code: ending.code })
                  : t(`roundTrip.${ending.word}`)}
              </span>
            </p>
          ) : null}
        </div>
        <div className="card-buttons">
          <button type="submit" className="button" aria-disabled={isWaiting}>
            {t(isWaiting ? 'roundTrip.waiting' : 'roundTrip.begin')}
          </button>
        </div>
      </form>
    </section>
  )
}
