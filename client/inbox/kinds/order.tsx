import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { Folded } from '../folded.tsx'
import { RichText } from '../thread/bubble/rich-text.tsx'
import type { BodyProps, KindViews } from './kind.ts'
import { priceText, totalOf } from './price.ts'

const firstItems = 20

const OrderBody = ({ message, t }: BodyProps) => {
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

const OrderStatusBody = ({ message, t }: BodyProps) => {
  const { referenceId, status, description } = message.orderStatus ?? {}
  return (
    <>
      <span className="document">
        <Icon name="cart" />
        <span className="cut">
          <b>{status ? t(`orderStatus.${status}`) : t('kind.order_status')}</b>
          <small>
            <bdi>{referenceId}</bdi>
          </small>
        </span>
      </span>
      <RichText text={message.text} />
      {description ? (
        <small className="bubble-footer" dir="auto">
          {description}
        </small>
      ) : null}
    </>
  )
}

export const orderViews = {
  order: { Body: OrderBody },
  order_status: { Body: OrderStatusBody },
} satisfies KindViews
