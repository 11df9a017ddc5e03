import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createOrganization,
  renamePerson,
  setActiveOrganization,
  updateOrganization,
} from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { apiOf, queryFor } from '#client/app/queries/queries.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import { useViewer, viewerQuery } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { type OrgSummary, orgNameMax, orgNameMin, slugOf, slugPattern } from '#shared/orgs/api.ts'
import { defaultCountry } from '#shared/orgs/setting-fields.ts'
import type { Region } from '#shared/orgs/settings.ts'
import { type ChosenLogo, LogoPicker } from './logo-picker.tsx'
import { PersonNameField } from './person-name-field.tsx'
import { RegionFields } from './region-fields.tsx'

const slugForm = new RegExp(slugPattern)
type SlugState = 'empty' | 'invalid' | 'reserved' | 'taken' | 'checking' | 'free' | 'own'

/** Checks the form of an address at once, and asks the server for the rest shortly after the last letter. */
const useSlugState = (slug: string, own: string | undefined): SlugState => {
  const settled = useDeferredValue(slug)
  const { data } = useQuery({
    ...queryFor(undefined, 'orgs.checkSlug', { params: { slug: settled } }),
    enabled: slugForm.test(settled) && settled !== own,
    staleTime: 5_000,
  })
  if (slug === '') return 'empty'
  if (slug === own) return 'own'
  if (!slugForm.test(slug)) return 'invalid'
  if (settled !== slug || !data) return 'checking'
  return data.available ? 'free' : (data.reason ?? 'taken')
}

const isBadSlug = (state: SlugState): state is 'invalid' | 'reserved' | 'taken' =>
  state === 'invalid' || state === 'reserved' || state === 'taken'

interface CompanyStepProps {
  /** The organization, if it exists already. */
  readonly org: OrgSummary | undefined
  /** Called when the organization was created, even if a later step failed. */
  onCreated(slug: string): void
  onDone(slug: string): void
}

/** Name, address, picture and region of an organization. */
export function CompanyStep({ org, onCreated, onDone }: CompanyStepProps) {
  const { t, i18n } = useTranslation('orgs')
  const client = useQueryClient()
  const failureText = useFailureText()
  const { user } = useViewer()
  const { timeZone } = useFacts()
  const kept = useOptionalAnswer({ ...orgSettingsQuery(org?.slug ?? ''), enabled: org !== undefined })
  // A person without a name is called by the first part of their email address.
  const isNameless = user.name === user.email.split('@')[0]
  const [person, setPerson] = useState('')
  const [name, setName] = useState(org?.name ?? '')
  const [ownSlug, setOwnSlug] = useState(org?.slug)
  const [logo, setLogo] = useState<ChosenLogo | null>()
  const [ownRegion, setOwnRegion] = useState<Region>()
  const [nameFault, setNameFault] = useState<string>()
  const [logoFault, setLogoFault] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isSaving, save] = useTransition()
  const slug = ownSlug ?? slugOf(name)
  const slugState = useSlugState(slug, org?.slug)
  const region = ownRegion ?? kept ?? { timeZone, language: i18n.language as Language, country: defaultCountry }

  const keptLogo = org?.logo ?? null
  /** Null: removes the current one. */
  const chooseLogo = (chosen: ChosenLogo | null | undefined) => {
    setLogo(chosen)
    setLogoFault(undefined)
  }

  /** Creates or updates the organization. */
  const keepOrg = async () => {
    if (!org) {
      const created = await createOrganization(name.trim(), slug)
      await setActiveOrganization(created.id)
      await client.fetchQuery({ ...viewerQuery, staleTime: 0 })
      onCreated(created.slug)
    } else if (org.name !== name.trim() || org.slug !== slug) {
      await updateOrganization(org.id, { name: name.trim(), slug })
      await client.fetchQuery({ ...viewerQuery, staleTime: 0 })
      onCreated(slug)
    }
  }

  const submit = () =>
    save(async () => {
      const length = [...name.trim()].length
      if (length < orgNameMin || length > orgNameMax)
        return setNameFault(t('create.nameInvalid', { min: orgNameMin, max: orgNameMax }))
      if (isBadSlug(slugState) || slugState === 'empty') return
      setFailure(undefined)
      setLogoFault(undefined)
      // From now on the chosen values count, not the stored ones.
      setOwnRegion(region)
      try {
        if (person.trim()) await renamePerson(person.trim())
        await keepOrg()
        const { orgSettings } = apiOf(client)(slug)
        client.setQueryData(orgSettingsQuery(slug).queryKey, await orgSettings.changeSettings({ body: region }))
        if (logo !== undefined) {
          try {
            await (logo ? orgSettings.setLogo({ body: { dataBase64: logo.dataBase64 } }) : orgSettings.removeLogo({}))
          } catch (error) {
            return setLogoFault(failureText(error))
          }
          setLogo(undefined)
          await client.fetchQuery({ ...viewerQuery, staleTime: 0 })
        }
        onDone(slug)
      } catch (error) {
        setFailure(failureText(error))
      }
    })

  return (
    <form className="stack" noValidate action={submit}>
      <div>
        <h1>{t('create.title')}</h1>
        <p className="lead">{t('create.text')}</p>
      </div>
      {isNameless ? <PersonNameField value={person} onChange={setPerson} /> : null}
      <Field
        label={t('create.name')}
        name="name"
        autoComplete="organization"
        placeholder={t('create.nameExample')}
        maxLength={orgNameMax}
        required
        value={name}
        fault={nameFault}
        onChange={({ target }) => {
          setName(target.value)
          setNameFault(undefined)
          setFailure(undefined)
        }}
      />
      <Field
        label={t('create.slug')}
        name="slug"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        required
        value={slug}
        fault={isBadSlug(slugState) ? t(`create.slugState.${slugState}`) : undefined}
        hint={
          <span aria-live="polite">
            {slugState === 'free'
              ? t('create.slugState.free', { slug })
              : slugState === 'checking'
                ? t('create.slugState.checking')
                : t('create.slugHint')}
          </span>
        }
        onChange={({ target }) => {
          setOwnSlug(target.value.toLowerCase().replace(/[^a-z0-9-]/g, '-'))
          setFailure(undefined)
        }}
      />
      <LogoPicker
        label={t('create.logo')}
        name={name}
        image={logo === undefined ? keptLogo : (logo?.url ?? null)}
        fault={logoFault}
        onChoose={chooseLogo}
        onRemove={() => chooseLogo(keptLogo ? null : undefined)}
      />
      <RegionFields value={region} onChange={setOwnRegion} />
      {failure ? <Fault>{failure}</Fault> : null}
      <button type="submit" className="button button-primary button-wide" disabled={isSaving}>
        {isSaving ? t('create.creating') : org ? t('create.save') : t('create.submit')}
      </button>
    </form>
  )
}
