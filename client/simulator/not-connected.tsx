import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { mayCreateOrg, useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { OrgSummary } from '#shared/orgs/api.ts'

const Connect = () => {
  const { t } = useTranslation('simulator')
  const api = useApi()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isConnecting, setConnecting] = useState(false)
  const connect = async () => {
    setConnecting(true)
    setFailure(undefined)
    try {
      await api.numbers.connectSandbox({})
      // Sidebar, live events and this page depend on the number.
      location.reload()
    } catch (error) {
      setFailure(failureText(error))
      setConnecting(false)
    }
  }
  return (
    <>
      <button type="button" className="button button-primary" disabled={isConnecting} onClick={() => void connect()}>
        {t(isConnecting ? 'not.connecting' : 'not.connect')}
      </button>
      {failure ? <Fault>{failure}</Fault> : null}
    </>
  )
}

/** Shown if an organization's number is not simulated: why, and what this member can do about it. */
export function NotConnected({ org, isCloud }: { org: OrgSummary; isCloud: boolean }) {
  const { t } = useTranslation('simulator')
  const { site } = useFacts()
  const viewer = useViewer()
  const mayConnect = roleCan(effectiveRole(org.role), 'connection:manage')
  const reason = !site.sandbox ? 'off' : isCloud ? 'cloud' : mayConnect ? 'none' : 'ask'
  return (
    <main className="sim-not stack-l">
      <Icon name="phone" />
      <h1>{t('not.title')}</h1>
      <p>{t(`not.${reason}`, { org: org.name })}</p>
      {reason === 'none' ? <Connect /> : null}
      {reason === 'cloud' && mayCreateOrg(viewer, site) ? (
        <Link className="button" to={paths.companyCreation()}>
          {t('not.newOrg')}
        </Link>
      ) : null}
      <Link className="link" to={paths.chats(org.slug)}>
        {t('not.chats')}
      </Link>
    </main>
  )
}
