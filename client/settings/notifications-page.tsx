import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NotificationSettings } from '#client/notifications/settings.tsx'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'

/** `/org/{slug}/settings/notifications`: what the person is told of, where and when. */
export default function NotificationsPage() {
  const { t } = useTranslation('settings')
  return (
    <section className="card">
      <title>{`${t('pages.notifications')} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      <Suspense fallback={<span className="skeleton skeleton-rows content-skeleton" />}>
        <NotificationSettings />
      </Suspense>
    </section>
  )
}
