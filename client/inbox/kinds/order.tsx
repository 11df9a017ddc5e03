import { useTranslation } from 'react-i18next'
import { Folded } from '#client/inbox/folded.tsx'
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

export const orderViews = { order: { Body: OrderBody } } satisfies KindViews
