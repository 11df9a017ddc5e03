import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { teamsQuery } from '#client/shell/org-queries.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { type SsoCheck, ssoCallbackPath, ssoRoles } from '#shared/auth/sso.ts'
import { registerSsoProvider } from '../app/auth-api.ts'
import { useFacts } from '../app/facts.ts'
import { useApi, useFailureText } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
import { RoleField } from './role-field.tsx'
import { SsoAddresses } from './sso-addresses.tsx'
import { SsoChecks } from './sso-checks.tsx'
import {
  emptyDraft,
  type RequiredField,
  registrationOf,
  requiredFields,
  type SsoDraft,
  withFound,
} from './sso-draft.ts'
import { TeamField } from './team-field.tsx'

/** @see spec §9: the form resets this long after saving. */
const resetAfterMs = 3000

/** Configures a provider, and says what to enter there. Its addresses are discovered when the domain is entered. */
export function SsoForm({ onRegistered }: { onRegistered(): Promise<unknown> }) {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const [draft, setDraft] = useState(emptyDraft)
  const [faults, setFaults] = useState<Partial<Record<RequiredField, string>>>({})
  const [isShown, setShown] = useState(false)
  const [isPublished, setPublished] = useState<boolean>()
  const [checks, setChecks] = useState<readonly SsoCheck[]>()
  const [failure, setFailure] = useState<string>()
  const [isDone, setDone] = useState(false)
  const [isSaving, save] = useTransition()
  const [isTesting, test] = useTransition()
  const [isFinding, find] = useTransition()
  const looked = useRef('')
  // Optional: without the list, new members join no team.
  const teams = useQuery(teamsQuery(org.slug)).data?.items ?? []

  const reset = () => {
    looked.current = ''
    setDraft(emptyDraft())
    setPublished(undefined)
    setChecks(undefined)
    setShown(false)
    setDone(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts from when it was saved, whatever is drawn meanwhile
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(reset, resetAfterMs)
    return () => clearTimeout(timer)
  }, [isDone])

  const change = (next: Partial<SsoDraft>) => {
    setDraft(before => ({ ...before, ...next }))
    setFaults(before => ({ ...before, ...Object.fromEntries(Object.keys(next).map(field => [field, undefined])) }))
    setFailure(undefined)
    setChecks(undefined)
  }

  const findAddresses = (domain: string, issuer: string) =>
    find(async () => {
      looked.current = `${domain} ${issuer}`
      try {
        const found = await api.sso.discover({ body: { domain, ...(issuer ? { issuer } : {}) } })
        // The domain was changed meanwhile, so this answer is obsolete.
        if (looked.current !== `${domain} ${issuer}`) return
        setPublished(found.isPublished)
        setDraft(before => withFound(before, found))
      } catch (error) {
        setFailure(failureText(error))
      }
    })

  /** Marks missing fields. Returns whether there are any. */
  const markMissing = (): boolean => {
    const missing = requiredFields.filter(field => !draft[field].trim())
    setFaults(Object.fromEntries(missing.map(field => [field, t(`sso.${field}Required`)])))
    return missing.length > 0
  }

  const submit = () =>
    save(async () => {
      setFailure(undefined)
      if (markMissing()) return
      try {
        await registerSsoProvider(org.id, registrationOf(draft))
        await onRegistered()
        setDone(true)
      } catch (error) {
        setFailure(failureText(error))
      }
    })

  const tryOut = () =>
    test(async () => {
      setFailure(undefined)
      setChecks(undefined)
      if (markMissing()) return
      try {
        const domain = draft.domain.trim()
        const issuer = draft.issuer.trim()
        const found =
          draft.tokenEndpoint && draft.jwksEndpoint
            ? draft
            : withFound(draft, await api.sso.discover({ body: { domain, ...(issuer ? { issuer } : {}) } }))
        const { clientId, clientSecret, tokenEndpoint, jwksEndpoint, tokenAuthentication } = found
        const answer = await api.sso.test({
          body: {
            issuer: found.issuer.trim(),
            clientId: clientId.trim(),
            clientSecret: clientSecret.trim(),
            tokenEndpoint: tokenEndpoint.trim(),
            jwksEndpoint: jwksEndpoint.trim(),
            ...(tokenAuthentication ? { tokenAuthentication } : {}),
          },
        })
        setChecks(answer.checks)
      } catch (error) {
        setFailure(failureText(error))
      }
    })

  const lookForDomain = () => {
    const domain = draft.domain.trim()
    if (domain && !looked.current.startsWith(`${domain} `)) findAddresses(domain, draft.issuer.trim())
  }

  const { publicUrl } = useFacts()
  const callbackUrl = publicUrl + ssoCallbackPath(draft.providerId)
  return (
    <>
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
          onFind={() => draft.domain.trim() && findAddresses(draft.domain.trim(), draft.issuer.trim())}
        />
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
          <input type="checkbox" checked={isShown} onChange={({ target }) => setShown(target.checked)} />
          {t('sso.showSecret')}
        </label>
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
