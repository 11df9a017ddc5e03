import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, replace, useNavigate, useSearchParams } from 'react-router'
import { settle, start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { findOrg, requireViewer, useOrg } from '#client/shell/viewer.ts'
import { useIsElsewhere } from '#client/ui/page/is-elsewhere.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { MomentProvider } from '#client/ui/text/moment.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { customerAt, customerIn } from './address.ts'
import { Customers } from './customers.tsx'
import { NotConnected } from './not-connected.tsx'
import { Phone } from './phone.tsx'
import { customersQuery, stateQuery, threadQuery } from './queries.ts'
import { Tools } from './tools.tsx'
import { usePhoneEvents } from './use-phone-events.ts'
import './simulator.css'
import './phone.css'
import './phone-opens.css'

/** Loads data only for members who may use the simulator, and a phone only if its customer exists. */
export const loader = async (args: LoaderFunctionArgs) => {
  const org = findOrg(await requireViewer(args), args.params.org)
  // People who are not members get the frame's own error.
  if (!org) return null
  if (!roleCan(effectiveRole(org.role), 'sandbox:use')) throw replace(paths.unauthorized())
  const { kind } = await settle<{ kind: string | null }>(args, wabaQuery(org.slug))
  if (kind !== 'sandbox') return null
  const { items } = await settle<{ items: { waId: string }[] }>(args, customersQuery(org.slug))
  const open = customerIn(new URL(args.request.url).searchParams)
  const isThere = items.some(customer => customer.waId === open)
  return start(args, stateQuery(org.slug), ...(open && isThere ? [threadQuery(org.slug, open)] : []))
}

const Nobody = () => {
  const { t } = useTranslation('simulator')
  return (
    <section className="sim-phone sim-phone-off" aria-label={t('none.title')}>
      <div className="sim-off stack-m">
        <Icon name="phone" />
        <p>
          <strong>{t('none.title')}</strong>
        </p>
        <p>{t('none.text')}</p>
      </div>
    </section>
  )
}

const Opening = () => {
  const { t } = useTranslation('simulator')
  return (
    <div className="sim-phone sim-phone-off" role="status">
      <span className="sr-only">{t('phone.loading')}</span>
    </div>
  )
}

/** Opens the newest phone beside the list on wide screens, until one is chosen. */
const useNewest = (org: string, newest: string | undefined) => {
  const navigate = useNavigate()
  const isElsewhere = useIsElsewhere()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when it opens, and no reason to open
  useEffect(() => {
    if (!newest) return
    const roomy = matchMedia('(min-width: 768px)')
    const open = () => {
      if (roomy.matches && !isElsewhere()) void navigate(customerAt(org, newest), { replace: true })
    }
    open()
    roomy.addEventListener('change', open)
    return () => roomy.removeEventListener('change', open)
  }, [navigate, org, newest])
}

const Simulator = ({ businessPhone }: { businessPhone: string }) => {
  const { t } = useTranslation('simulator')
  const org = useOrg()
  const [search] = useSearchParams()
  const data = useAnswer(customersQuery(org.slug))
  usePhoneEvents(org.slug)
  const open = data.items.find(customer => customer.waId === customerIn(search))?.waId
  useNewest(org.slug, open ? undefined : data.items[0]?.waId)
  return (
    <main className="sim" data-open={open !== undefined}>
      {/* On a phone, the part with the visible title gives way to an open chat. */}
      <h1 className="sr-only">{t('title')}</h1>
      <div className="sim-side column">
        <div className="sim-intro">
          <p className="sim-title" aria-hidden="true">
            {t('title')}
          </p>
          <p>{t('text')}</p>
        </div>
        <Customers org={org.slug} open={open} />
      </div>
      <div className="sim-tools">
        <Suspense fallback={<p className="sim-empty">{t('customers.loading')}</p>}>
          <Tools org={org.slug} />
        </Suspense>
      </div>
      <div className="sim-stage center">
        {open ? (
          <Suspense key={open} fallback={<Opening />}>
            <Phone org={org} businessPhone={businessPhone} phone={open} />
          </Suspense>
        ) : data.items.length ? (
          <Opening />
        ) : (
          <Nobody />
        )}
      </div>
    </main>
  )
}

/** The simulator: phones on which a member plays customers. */
export default function SimulatorPage() {
  const { t } = useTranslation('simulator')
  const org = useOrg()
  const number = useAnswer(wabaQuery(org.slug))
  return (
    <>
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      {number.kind === 'sandbox' ? (
        <MomentProvider>
          <Simulator businessPhone={number.displayPhone} />
        </MomentProvider>
      ) : (
        <NotConnected org={org} isCloud={number.kind === 'cloud'} />
      )}
    </>
  )
}
