import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, Fragment, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useLocation } from 'react-router'
import { keyFor, settle } from '#client/app/queries/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { OrgClock } from '#client/shell/org-clock.tsx'
import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { JointForm } from './joint-form.tsx'
import { AssignmentSettings } from './organization/assignment.tsx'
import { BusinessHours } from './organization/business-hours.tsx'
import { ContactFields } from './organization/contact-fields.tsx'
import { DangerZone } from './organization/danger-zone.tsx'
import { Erasures } from './organization/erasures.tsx'
import { ExportAll } from './organization/export-all.tsx'
import { FileUse } from './organization/file-use.tsx'
import { Identity } from './organization/identity.tsx'
import { OptOutSettings } from './organization/opt-out-settings.tsx'
import { RegionSettings } from './organization/region-settings.tsx'
import { RetentionSettings } from './organization/retention.tsx'
import { WindowTemplateSettings } from './organization/window-template.tsx'
import { SecondFactorDemand } from './second-factor/second-factor-demand.tsx'
import { allowed, type OrganizationPage, type OrganizationSection, organizationPages } from './sections.ts'
import { SettingsFields } from './settings-form.tsx'

export const loader = (args: LoaderFunctionArgs) => settle(args, orgSettingsQuery(args.params.org ?? ''))

const cards: { readonly [Id in OrganizationSection]: ComponentType } = {
  details: () => <SettingsFields card="details" />,
  region: RegionSettings,
  hours: BusinessHours,
  assignment: AssignmentSettings,
  'window-template': WindowTemplateSettings,
  'contact-fields': ContactFields,
  'opt-outs': OptOutSettings,
  'second-factor': SecondFactorDemand,
  erasures: Erasures,
  files: FileUse,
  retention: RetentionSettings,
  export: ExportAll,
  danger: DangerZone,
}

const Waiting = () => (
  <section className="card" aria-hidden="true">
    <span className="skeleton skeleton-rows content-skeleton" />
  </section>
)

/** Asks again for all of it when somebody changed the organization. */
const useRefresh = () => {
  const { slug } = useOrg()
  const client = useQueryClient()
  const refresh = () =>
    void Promise.all(
      (
        [
          'orgSettings.getSettings',
          'orgSettings.getBusinessHours',
          'assignment.getRules',
          'orgSettings.getSecondFactorDemand',
          'retention.getRetention',
          'fileUse.getFileUse',
          'erasures.listErasures',
          'contactFields.listFields',
        ] as const
      ).map(name => client.invalidateQueries({ queryKey: keyFor(slug, name) })),
    )
  useEvents({ organization: refresh }, refresh)
}

/** The pages of `/org/{slug}/settings` about the organization itself; the address says which of them. */
export default function OrganizationSettingsPage() {
  const { t } = useTranslation('settings')
  const { role } = useOrg()
  const { pathname } = useLocation()
  useRefresh()
  // The router finds a page in capitals and with a slash at its end, too.
  const asked = pathname.replace(/\/+$/, '').split('/').at(-1)?.toLowerCase()
  const { page, sections }: OrganizationPage = organizationPages.find(one => one.page === asked) ?? organizationPages[0]
  // The cards of this page are one form; on the others, each card is saved by itself.
  const Around = page === 'attention' ? JointForm : Fragment
  const shown = allowed<OrganizationPage['sections'][number]>(sections, role)
  return (
    <>
      <title>{`${t(`pages.${page}`)} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      {page === 'organization' ? (
        <section className="card" aria-labelledby="organization">
          <h2 id="organization">{t('organization')}</h2>
          <Identity />
        </section>
      ) : null}
      {/* Both at once, because the upper one is taller than its placeholder and would move the lower one. */}
      <Suspense fallback={shown.length ? <Waiting /> : null}>
        <OrgClock>
          <Around>
            {shown.map(({ id, title }) => {
              const Card = cards[id]
              return (
                <section className="card" key={id} aria-labelledby={id}>
                  <h2 id={id} className={t(title) === t(`pages.${page}`) ? 'in-bar' : undefined}>
                    {t(title)}
                  </h2>
                  <Card />
                </section>
              )
            })}
          </Around>
        </OrgClock>
      </Suspense>
    </>
  )
}
