import { useEffect, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { registerSsoProvider } from '#client/app/calls/auth-api.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { SsoCheck } from '#shared/auth/sso.ts'
import { emptyDraft, type RequiredField, registrationOf, requiredFields, type SsoDraft, withFound } from './draft.ts'

/** The form resets this long after saving. */
const resetAfterMs = 3000

/** Trimmed, as the provider knows them. */
const credentialsOf = (draft: SsoDraft) => ({
  issuer: draft.issuer.trim(),
  clientId: draft.clientId.trim(),
  clientSecret: draft.clientSecret.trim(),
  tokenEndpoint: draft.tokenEndpoint.trim(),
  jwksEndpoint: draft.jwksEndpoint.trim(),
  ...(draft.tokenAuthentication ? { tokenAuthentication: draft.tokenAuthentication } : {}),
})

/** The draft of a provider: finds its addresses, tries it out, and registers it. @param onReset after it was saved */
export function useSsoRegistration(onRegistered: () => Promise<unknown>, onReset: () => void) {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const [draft, setDraft] = useState(emptyDraft)
  const [faults, setFaults] = useState<Partial<Record<RequiredField, string>>>({})
  const [isPublished, setPublished] = useState<boolean>()
  const [checks, setChecks] = useState<readonly SsoCheck[]>()
  const [failure, setFailure] = useState<string>()
  const [isDone, setDone] = useState(false)
  const [isSaving, save] = useTransition()
  const [isTesting, test] = useTransition()
  const [isFinding, find] = useTransition()
  const asked = useRef('')

  const reset = () => {
    asked.current = ''
    setDraft(emptyDraft())
    setPublished(undefined)
    setChecks(undefined)
    setDone(false)
    onReset()
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

  const discover = (domain: string, issuer: string) =>
    api.sso.discover({ body: { domain, ...(issuer ? { issuer } : {}) } })

  const findAddresses = (domain: string, issuer: string) =>
    find(async () => {
      asked.current = `${domain} ${issuer}`
      try {
        const found = await discover(domain, issuer)
        // The domain was changed meanwhile, so this answer is obsolete.
        if (asked.current !== `${domain} ${issuer}`) return
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
        const hasAddresses = draft.tokenEndpoint && draft.jwksEndpoint
        const found = hasAddresses ? draft : withFound(draft, await discover(draft.domain.trim(), draft.issuer.trim()))
        const answer = await api.sso.test({ body: credentialsOf(found) })
        setChecks(answer.checks)
      } catch (error) {
        setFailure(failureText(error))
      }
    })

  return {
    draft,
    faults,
    change,
    /** True if the provider publishes its addresses; undefined: not looked for. */
    isPublished,
    isFinding,
    findAddresses() {
      const domain = draft.domain.trim()
      if (domain) findAddresses(domain, draft.issuer.trim())
    },
    /** Looks for the addresses of a domain that was just entered. */
    lookForDomain() {
      const domain = draft.domain.trim()
      if (domain && !asked.current.startsWith(`${domain} `)) findAddresses(domain, draft.issuer.trim())
    },
    tryOut,
    isTesting,
    /** The checks of the last trial. */
    checks,
    submit,
    isSaving,
    isDone,
    failure,
  }
}

export type SsoFormState = ReturnType<typeof useSsoRegistration>
