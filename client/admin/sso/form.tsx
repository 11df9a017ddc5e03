import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { ssoCallbackPath, ssoRoles } from '#shared/auth/sso.ts'
import { RoleField } from '../members/role-field.tsx'
import { TeamField } from '../teams/field.tsx'
import { SsoAddresses } from './addresses.tsx'
import { SsoChecks } from './checks.tsx'
import { type SsoFormState, useSsoRegistration } from './use-registration.ts'

/** The values to enter at the provider. */
function CallbackAddress({ providerId }: { readonly providerId: string }) {
  const { t } = useTranslation('admin')
  const { publicUrl } = useFacts()
  const callbackUrl = publicUrl + ssoCallbackPath(providerId)
  return (
    <section className="sso-theirs box stack" aria-labelledby="sso-theirs">
      <div className="sso-step">
        <h3 id="sso-theirs">{t('sso.theirs')}</h3>
        <p>{t('sso.theirsText')}</p>
      </div>
      <div className="field">
        <span className="label">{t('sso.callback')}</span>
        <div className="sso-copy line">
          <code>{callbackUrl}</code>
          <CopyButton
            value={callbackUrl}
            label={t('sso.copyOf', { name: t('sso.callback') })}
            done={t('sso.copied')}
            failed={t('sso.copyFailed')}
          />
        </div>
      </div>
    </section>
  )
}

interface CredentialsProps {
  readonly registration: SsoFormState
  /** The secret is readable. */
  readonly isShown: boolean
  onShow(isShown: boolean): void
}

function Credentials({ registration: { draft, faults, change }, isShown, onShow }: CredentialsProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <Field
        label={t('sso.clientId')}
        name="clientId"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={512}
        value={draft.clientId}
        fault={faults.clientId}
        onChange={({ target }) => change({ clientId: target.value })}
      />
      <Field
        label={t('sso.clientSecret')}
        name="clientSecret"
        type={isShown ? 'text' : 'password'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={2048}
        value={draft.clientSecret}
        fault={faults.clientSecret}
        onChange={({ target }) => change({ clientSecret: target.value })}
      />
      <label className="check">
        <input type="checkbox" checked={isShown} onChange={({ target }) => onShow(target.checked)} />
        {t('sso.showSecret')}
      </label>
    </>
  )
}

/** Configures a provider, and says what to enter there. Its addresses are discovered when the domain is entered. */
export function SsoForm({ onRegistered }: { onRegistered(): Promise<unknown> }) {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const [isShown, setShown] = useState(false)
  const registration = useSsoRegistration(onRegistered, () => setShown(false))
  const { draft, faults, change, isPublished, isFinding, findAddresses, lookForDomain } = registration
  const { tryOut, isTesting, checks, submit, isSaving, isDone, failure } = registration
  // Optional: without the list, new members join no team.
  const teams = useQuery(teamsQuery(org.slug)).data?.items ?? []

  return (
    <>
      <CallbackAddress providerId={draft.providerId} />
      <form
        className="sso-ours stack"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!isSaving && !isDone) submit()
        }}
      >
        <div className="sso-step">
          <h3>{t('sso.ours')}</h3>
          <p>{t('sso.oursText')}</p>
        </div>
        <Field
          label={t('sso.domain')}
          name="domain"
          autoComplete="off"
          autoCapitalize="none"
          inputMode="url"
          spellCheck={false}
          required
          maxLength={253}
          hint={t('sso.domainHint')}
          value={draft.domain}
          fault={faults.domain}
          onChange={({ target }) => change({ domain: target.value })}
          onBlur={lookForDomain}
        />
        <SsoAddresses
          draft={draft}
          isPublished={isPublished}
          isFinding={isFinding}
          onChange={change}
          onFind={findAddresses}
        />
        <Credentials registration={registration} isShown={isShown} onShow={setShown} />
        <div className="sso-newcomers">
          <RoleField label={t('sso.role')} offered={ssoRoles} value={draft.role} onChoose={role => change({ role })} />
          <TeamField
            label={t('sso.team')}
            none={t('sso.noTeam')}
            teams={teams}
            value={draft.teamId}
            onChoose={teamId => change({ teamId })}
          />
        </div>
        {checks ? <SsoChecks checks={checks} /> : null}
        <p role="status" className={isDone ? 'notice notice-good' : 'sr-only'}>
          {isDone ? t('sso.done') : ''}
        </p>
        {failure ? (
          <Fault>
            <strong>{t('sso.failed')}</strong>
            <br />
            {failure}
          </Fault>
        ) : null}
        <div className="sso-buttons">
          <button type="button" className="button" aria-disabled={isTesting} onClick={() => isTesting || tryOut()}>
            {isTesting ? t('sso.testing') : t('sso.test')}
          </button>
          <button type="submit" className="button button-primary" aria-disabled={isSaving || isDone}>
            {isSaving ? t('sso.saving') : t('sso.save')}
          </button>
        </div>
      </form>
    </>
  )
}
