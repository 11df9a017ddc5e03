import { useTranslation } from 'react-i18next'
import { Folded } from '#client/inbox/folded.tsx'
import { callText } from '#client/inbox/words.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { countdown, shortTime } from '#shared/kernel/time.ts'
import type { BodyProps } from './body-props.ts'
import { formLabel, formValue } from './form-words.ts'
import { priceText, totalOf } from './price.ts'

export const LocationPart = ({ message, t }: BodyProps) => {
  const place = message.location
  if (!place) return null
  const point = `${place.latitude},${place.longitude}`
  return (
    <>
      <a
        className="document"
        href={`https://www.openstreetmap.org/?mlat=${place.latitude}&mlon=${place.longitude}#map=17/${place.latitude}/${place.longitude}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon name="pin" />
        <span className="cut">
          <bdi>{place.name ?? t('kind.location')}</bdi>
          <small>
            <bdi>{place.address ?? point}</bdi>
          </small>
        </span>
      </a>
      {place.url ? (
        <a className="place-page" href={place.url} target="_blank" rel="noopener noreferrer nofollow">
          {place.url.replace(/^https?:\/\//, '')}
        </a>
      ) : null}
    </>
  )
}

export const CallPart = ({ message, t }: BodyProps) => {
  const seconds = message.call?.seconds
  return (
    <span className={message.call?.outcome === 'answered' ? 'call-part' : 'call-part call-missed'}>
      <Icon name="phone" />
      <span>
        {callText(t, message)}
        {seconds === undefined ? null : ` · ${countdown(seconds * 1000)}`}
      </span>
    </span>
  )
}

const firstItems = 20

export const OrderPart = ({ message, t }: BodyProps) => {
  const { i18n } = useTranslation()
  const order = message.order
  if (!order) return null
  const total = totalOf(order.items)
  return (
    <span className="listed">
      <b>{t('kind.order')}</b>
      <Folded items={order.items} first={firstItems} t={t}>
        {(item, i) => (
          <span key={i}>
            {item.quantity} × {item.sku} · {priceText(item, i18n.language) ?? t('order.noPrice')}
          </span>
        )}
      </Folded>
      {total ? (
        <b>
          {t('order.total')} {priceText(total, i18n.language)}
        </b>
      ) : null}
      {order.note ? <i dir="auto">{order.note}</i> : null}
    </span>
  )
}

export const FormPart = ({ message, t }: BodyProps) => {
  if (!message.form) return null
  return (
    <span className="listed">
      <b>{t('kind.form')}</b>
      {message.form.fields.map((field, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the answers of one form never move
        <span key={i}>
          {field.key ? <span>{formLabel(field.key)}:</span> : null} {formValue(field, t)}
        </span>
      ))}
      {message.form.fields.length === 0 && message.form.body ? <span>{message.form.body}</span> : null}
    </span>
  )
}

export const PermissionPart = ({ message, t }: BodyProps) => {
  const { i18n } = useTranslation()
  const { timeZone } = useMoment()
  const { title, until } = message.choice ?? {}
  if (title !== 'accept') return <span className="bubble-text">{t('permission.reject')}</span>
  if (until === undefined) return <span className="bubble-text">{t('permission.accept')}</span>
  const day = shortTime(until, i18n.language as Language, timeZone)
  return <span className="bubble-text">{t('permission.acceptUntil', { until: day })}</span>
}
