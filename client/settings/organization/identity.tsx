import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault, isApiError } from '#client/app/calls/api-error.ts'
import { updateOrganization } from '#client/app/calls/auth-api.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'
import { effectiveRole, roleCan, rolesWith } from '#shared/kernel/permissions.ts'
import { orgNameMax, orgNameMin } from '#shared/orgs/api.ts'
import { plainSettingField } from '#shared/orgs/setting-fields.ts'
import { SaveButton } from '../save-button.tsx'
import { SettingFacts } from '../settings-form.tsx'
import { LogoField } from './logo-field.tsx'

type IdentityField = 'name' | 'slug' | 'website'

/** The field of an error. Others are shown above the button. */
const fieldOf = (error: unknown): IdentityField | undefined => {
  if (!isApiError(error)) return undefined
  if (fieldFault(error, 'body.website') !== undefined) return 'website'
  if (/NAME/.test(error.code)) return 'name'
  return /SLUG|ALREADY_EXISTS|ALREADY_TAKEN/.test(error.code) ? 'slug' : undefined
}

function OrganizationForm() {
  const { t } = useTranslation(['settings', 'org-settings'])
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const storedWebsite = useAnswer(orgSettingsQuery(org.slug)).website ?? ''
  const [website, setWebsite] = useTyped(storedWebsite)
  const [name, setName] = useState(org.name)
  const [slug, setSlug] = useState(org.slug)
  const [fault, setFault] = useState<{ field?: IdentityField | undefined; text: string }>()
  const [isSaving, save] = useWork()
  const isRenamed = name !== org.name || slug !== org.slug
  const isChanged = isRenamed || website !== storedWebsite
  const canSave = isChanged && !isSaving
  const submit = () =>
    save(async () => {
      setFault(undefined)
      try {
        if (website !== storedWebsite) {
          const answer = await api.orgSettings.changeSettings({ body: { website: website.trim() || null } })
          client.setQueryData(orgSettingsQuery(org.slug).queryKey, answer)
          setWebsite(answer.website ?? '')
        }
        // Last, because another slug is another address for the call above.
        if (isRenamed)
          await updateOrganization(org.id, {
            ...(name === org.name ? {} : { name }),
            ...(slug === org.slug ? {} : { slug }),
          })
        toast(t('saved'), { kind: 'success' })
      } catch (error) {
        const field = fieldOf(error)
        setFault({ field, text: field === 'website' ? t('org-settings:website.fault') : failureText(error) })
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
      <Field
        label={t('org-settings:website.label')}
        hint={t('org-settings:website.hint')}
        type="url"
        value={website}
        maxLength={plainSettingField('website').form?.maxLength}
        fault={fault?.field === 'website' ? fault.text : undefined}
        onChange={({ target }) => setWebsite(target.value)}
      />
      {fault && !fault.field ? <Fault>{fault.text}</Fault> : null}
      <SaveButton
        canSave={canSave}
        onDiscard={() => {
          setName(org.name)
          setSlug(org.slug)
          setWebsite(storedWebsite)
          setFault(undefined)
        }}
      />
    </form>
  )
}

/** Name, address and logo; read-only without the right to change them. */
export function Identity() {
  const { t, i18n } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const org = useOrg()
  if (roleCan(effectiveRole(org.role), 'org:update'))
    return (
      <>
        <LogoField />
        <OrganizationForm key={`${org.id} ${org.name} ${org.slug}`} />
      </>
    )
  const managers = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
    rolesWith('org:update').map(role => shell(`role.${role}`)),
  )
  return (
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
        <SettingFacts card="identity" />
      </dl>
      <p>{t('readOnly', { roles: managers })}</p>
    </>
  )
}
