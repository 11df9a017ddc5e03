import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { useWork } from '#client/app/use-work.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'
import { effectiveRole, roleCan, rolesWith } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { orgNameMax, orgNameMin } from '#shared/orgs/api.ts'
import { isApiError } from '../app/api-error.ts'
import { updateOrganization } from '../app/auth-api.ts'
import { keyFor, settle } from '../app/queries.ts'
import { useFailureText } from '../app/use-api.ts'
import { useEvents } from '../shell/live-provider.tsx'
import { OrgClock } from '../shell/org-clock.tsx'
import { useOrg } from '../shell/viewer.ts'
import { AssignmentSettings } from './organization/assignment.tsx'
import { BusinessHours } from './organization/business-hours.tsx'
import { ContactFields } from './organization/contact-fields.tsx'
import { DangerZone } from './organization/danger-zone.tsx'
import { Erasures } from './organization/erasures.tsx'
import { ExportAll } from './organization/export-all.tsx'
import { FileUse } from './organization/file-use.tsx'
import { LogoField } from './organization/logo-field.tsx'
import { OptOutSettings } from './organization/opt-out-settings.tsx'
import { RegionSettings } from './organization/region-settings.tsx'
import { RetentionSettings } from './organization/retention.tsx'
import { WindowTemplateSettings } from './organization/window-template.tsx'
import { SaveButton } from './save-button.tsx'
import { SecondFactorDemand } from './second-factor/second-factor-demand.tsx'
import { allowed, type OrganizationSection, organizationSections } from './sections.ts'
import { orgSettingsQuery, SettingFacts, SettingsForm } from './settings-form.tsx'

export const loader = (args: LoaderFunctionArgs) => settle(args, orgSettingsQuery(args.params.org ?? ''))

/** The field of an error. Others are shown above the button. */
const fieldOf = (error: unknown): 'name' | 'slug' | undefined => {
  if (!isApiError(error)) return undefined
  if (/NAME/.test(error.code)) return 'name'
  return /SLUG|ALREADY_EXISTS|ALREADY_TAKEN/.test(error.code) ? 'slug' : undefined
}

function OrganizationForm() {
  const { t } = useTranslation('settings')
  const org = useOrg()
  const failureText = useFailureText()
  const [name, setName] = useState(org.name)
  const [slug, setSlug] = useState(org.slug)
  const [fault, setFault] = useState<{ field?: 'name' | 'slug'; text: string }>()
  const [isSaving, save] = useWork()
  const isChanged = name !== org.name || slug !== org.slug
  const canSave = isChanged && !isSaving
  const submit = () =>
    save(async () => {
      setFault(undefined)
      try {
        await updateOrganization(org.id, {
          ...(name === org.name ? {} : { name }),
          ...(slug === org.slug ? {} : { slug }),
        })
        toast(t('saved'), { kind: 'success' })
      } catch (error) {
        setFault({ field: fieldOf(error), text: failureText(error) })
      }
    })
  return (
    <form className="form" action={() => (canSave ? submit() : undefined)} noValidate>
      <Field
        label={t('orgName')}
        value={name}
        minLength={orgNameMin}
        maxLength={orgNameMax}
        fault={fault?.field === 'name' ? fault.text : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      <Field
        label={t('orgSlug')}
        hint={t('orgSlugHint')}
        value={slug}
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
        fault={fault?.field === 'slug' ? fault.text : undefined}
        onChange={({ target }) => setSlug(target.value.trim().toLowerCase())}
      />
      {fault && !fault.field ? <Fault>{fault.text}</Fault> : null}
      <SaveButton canSave={canSave} />
    </form>
  )
}

const cards: { readonly [Id in OrganizationSection]: ComponentType } = {
  details: () => <SettingsForm card="details" />,
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
    <span className="skeleton content-skeleton" />
  </section>
)

/** `/org/{slug}/settings/organization`: name, address and logo; read-only without the right to change them. */
export default function OrganizationSettingsPage() {
  const { t, i18n } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const org = useOrg()
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
      ).map(name => client.invalidateQueries({ queryKey: keyFor(org.slug, name) })),
    )
  useEvents({ organization: refresh }, refresh)
  const mayUpdate = roleCan(effectiveRole(org.role), 'org:update')
  const managers = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
    rolesWith('org:update').map(role => shell(`role.${role}`)),
  )
  const sections = allowed<(typeof organizationSections)[number]>(organizationSections, org.role)
  return (
    <>
      <section className="card">
        <title>{`${t('organization')} · ${t('title')} · ${PRODUCT_NAME}`}</title>
        <h2>{t('organization')}</h2>
        {mayUpdate ? (
          <>
            <LogoField />
            <OrganizationForm key={`${org.id} ${org.name} ${org.slug}`} />
          </>
        ) : (
          <>
            <dl className="facts-list">
              <dt>{t('logo')}</dt>
              <dd>
                <Logo name={org.name} image={org.logo} />
              </dd>
              <dt>{t('orgName')}</dt>
              <dd>
                <bdi>{org.name}</bdi>
              </dd>
              <dt>{t('orgSlug')}</dt>
              <dd>{org.slug}</dd>
              <SettingFacts card="details" />
            </dl>
            <p>{t('readOnly', { roles: managers })}</p>
          </>
        )}
      </section>
      {/* Both at once, because the upper one is taller than its placeholder and would move the lower one. */}
      <Suspense fallback={sections.length ? <Waiting /> : null}>
        <OrgClock>
          {sections.map(({ id, title }) => {
            const Card = cards[id]
            return (
              <section className="card" key={id} aria-labelledby={id}>
                <h2 id={id}>{t(title)}</h2>
                <Card />
              </section>
            )
          })}
        </OrgClock>
      </Suspense>
    </>
  )
}
